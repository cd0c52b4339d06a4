package jfs.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code jfs.buffers.native}: whether native code copies blocks of layouts. */
class NativeBlocksTest {

    private static Settings read(String value) {
        Properties properties = new Properties();
        properties.setProperty("jfs.buffers.native", value);
        return Settings.read(properties, Map.of());
    }

    @ParameterizedTest
    @CsvSource({"on, true", "off, false"})
    void itCanBeSwitchedOnAndOff(String value, boolean copies) {
        assertEquals(copies, read(value).nativeBlocks());
    }

    @Test
    void byDefaultTheJvmDecides() {
        boolean since25 = Runtime.version().feature() >= 25;
        assertEquals(since25, read("auto").nativeBlocks());
        assertEquals(since25, Settings.read(new Properties(), Map.of()).nativeBlocks());
        assertEquals(false, Settings.read(new Properties(), Map.of("JFS_BUFFERS_NATIVE", "off")).nativeBlocks());
    }

    @Test
    void anotherWordIsRefused() {
        String message = assertThrows(IllegalArgumentException.class, () -> read("yes")).getMessage();
        assertEquals("jfs: bad setting jfs.buffers.native=yes; allowed is one of auto, on, off", message);
    }
}
