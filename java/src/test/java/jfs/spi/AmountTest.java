package jfs.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An amount of memory as a setting, such as {@code jfs.memory.max}, in a process that may have 1,000,000 bytes. */
class AmountTest {

    private static final Setting<Setting.Amount> MEMORY_MAX = Setting.amount("jfs.memory.max", "25%");

    private static long bytes(String value) {
        return MEMORY_MAX.of(value).of(1_000_000);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1,1", "65536,65536", "64k,65536", "3M,3145728", "2G,2147483648", "25%,250000", "100%,1000000", "0%,0",
        "' 7 ',7", "999999999999999999,999999999999999999", "8589934591G,9223372035781033984"})
    void aTextIsReadAsBytes(String value, long bytes) {
        assertEquals(bytes, bytes(value));
    }

    @Test
    void theDefaultIsAQuarterOfTheMemory() {
        assertEquals(250_000, bytes(null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5G", "101%", "1T", "64 k", "k", "%", "8589934592G", "9999999999999999999"})
    void aBadTextIsRefused(String value) {
        String message = assertThrows(IllegalArgumentException.class, () -> bytes(value)).getMessage();
        assertEquals("jfs: bad setting jfs.memory.max=" + value + "; allowed is a number of bytes with K, M or G behind it or"
                + " nothing, like 512M, or a share of the memory that this process may have, from 0% to 100%", message);
    }
}
