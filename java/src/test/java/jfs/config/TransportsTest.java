package jfs.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Properties;
import jfs.spi.TransportProvider;
import jfs.transport.BuiltIn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which transports there are, and what the settings say of them. */
class TransportsTest {

    private static Settings settings(String name, String value, Map<String, String> environment) {
        Properties properties = new Properties();
        properties.setProperty(name, value);
        return Settings.read(properties, environment);
    }

    private static Transports transports(String name, String value) {
        return Transports.read(settings(name, value, Map.of()), BuiltIn.TRANSPORTS);
    }

    private static String refusal(String name, String value) {
        return assertThrows(IllegalArgumentException.class, () -> transports(name, value)).getMessage();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"auto | sci mx | sci", "sci,mx | sci mx | sci", "mx, sci | mx sci | sci", "sci | sci | sci",
        "mx,tcp | mx |", "tcp | '' |", "auto,tcp | sci mx | sci", "sci,sci | sci | sci"})
    void whatIsAllowed(String list, String allowed, String withoutRule) {
        Transports transports = transports("jfs.transport", list);
        assertEquals(allowed, String.join(" ", transports.allowed().stream().map(TransportProvider::name).toList()));
        assertEquals(withoutRule, transports.ofThisHost() == null ? null : transports.ofThisHost().name());
        assertEquals(BuiltIn.TRANSPORTS, transports.known());
    }

    /** The last one is looked for by a ServiceLoader, which finds none. */
    @ParameterizedTest
    @ValueSource(strings = {"", "sci,", "SCI", "sci;mx", "abcdefghijklmnopq", "carrierpigeon"})
    void whatIsNoTransport(String list) {
        assertEquals("jfs: bad setting jfs.transport=" + list + "; allowed is auto, or a comma list of sci, mx, tcp,"
                + " and of transports that ServiceLoader finds", refusal("jfs.transport", list));
    }

    @Test
    void settingsOfTransportsAreCheckedAsAllOthers() {
        assertEquals("jfs: bad setting jfs.buffer.size=1; allowed is a whole number from 8192 to 67108864",
                refusal("jfs.buffer.size", "1"));
        assertTrue(refusal("jfs.buffer", "1")
                .startsWith("jfs: unknown setting jfs.buffer=1; allowed are jfs.allow.uids, jfs.buffer.size, "));
        Transports transports = Transports.read(Settings.read(new Properties(), Map.of("JFS_MX_EAGER_MAX", "2048", "JFS_OTHERS", "1")),
                BuiltIn.TRANSPORTS);
        assertEquals(List.of(2048, "auto"),
                Transports.named(BuiltIn.TRANSPORTS, "mx").settings().stream().map(it -> (Object) transports.value(it)).toList());
    }

    /** A program may print its settings. An unknown variable may belong to another product, and its value may be a secret. */
    @Test
    void theTextOfTheSettingsHasNoValueOfAnUnknownVariable() {
        Settings settings = Settings.read(new Properties(), Map.of("JFS_OTHERS_TOKEN", "secret"));
        for (Object each : List.of(settings, Transports.read(settings, BuiltIn.TRANSPORTS))) {
            assertTrue(each.toString().contains("JFS_OTHERS_TOKEN"), each.toString());
            assertFalse(each.toString().contains("secret"), each.toString());
        }
    }

    /** Then a JVM need not load the transports' classes when it starts. */
    @Test
    void mostSettingsDoNotConcernTransports() {
        assertFalse(settings("jfs.log", "all", Map.of("JFS_UPGRADE_AFTER", "1", "HOME", "/")).concernTransports());
        assertNull(settings("jfs.log", "all", Map.of("JFS_UPGRADE_AFTER", "1")).others());
        assertTrue(settings("jfs.sci.long.min", "64", Map.of()).concernTransports());
        assertTrue(settings("jfs.log", "all", Map.of("JFS_SCI_LIBRARY", "shim")).concernTransports());
        assertTrue(settings("jfs.transport", "tcp", Map.of()).concernTransports());
        assertTrue(settings("jfs.rules", "/rules", Map.of()).concernTransports());
    }
}
