package jfs.negotiation.policy;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import jfs.Fuzz;
import jfs.transport.BuiltIn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever stands in a file of rules is understood, or refused by the message that names the line. */
@Timeout(300)
class RulesFuzzTest {

    @Test
    void rules() {
        String file = "connect 10.1.0.0/16 * mx # here\naccept fe80::1/64 5000-5999 sci\nconnect db.example 5432-* tcp\n";
        Fuzz.fuzz(file.getBytes(StandardCharsets.UTF_8), (input, random) -> {
            List<String> lines = new String(input, StandardCharsets.UTF_8).lines().toList();
            try {
                Rules rules = Rules.parse("rules", lines, BuiltIn.TRANSPORTS, host -> {
                    throw new UnknownHostException(host);
                });
                rules.connecting(InetAddress.getLoopbackAddress(), random.nextInt(65536));
                rules.accepting(InetAddress.getLoopbackAddress(), random.nextInt(65536));
            } catch (IllegalArgumentException e) {
                assertTrue(e.getMessage().startsWith("jfs: bad setting jfs.rules=rules, line "), e.getMessage());
            }
        });
    }
}
