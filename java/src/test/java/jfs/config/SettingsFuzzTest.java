package jfs.config;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import jfs.Fuzz;
import jfs.transport.BuiltIn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever a setting is set to is understood, or refused by the message that names it. */
@Timeout(300)
class SettingsFuzzTest {

    @Test
    void settings() {
        List<String> names = List.of("jfs.transport", "jfs.poll.micros", "jfs.buffer.size", "jfs.upgrade.after",
                "jfs.sci.long.min", "jfs.allow.uids", "jfs.memory.max", "jfs.tcp", "jfs.nio", "jfs.netty", "jfs.buffers.native",
                "jfs.install", "jfs.log");
        Fuzz.fuzz("12,sci,auto,4294967294 -1".getBytes(StandardCharsets.US_ASCII), (input, random) -> {
            Properties properties = new Properties();
            String name = names.get(random.nextInt(names.size()));
            properties.setProperty(name, new String(input, StandardCharsets.ISO_8859_1));
            try {
                Transports.read(Settings.read(properties, Map.of()), BuiltIn.TRANSPORTS);
            } catch (IllegalArgumentException e) {
                assertTrue(e.getMessage().startsWith("jfs: bad setting " + name + "="), e.getMessage());
            }
        });
    }
}
