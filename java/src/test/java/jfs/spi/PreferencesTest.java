package jfs.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Only the comparison of the numbers counts. */
class PreferencesTest {

    @Test
    void latencyAndProcessorTimeDecideHowLongAThreadPolls() {
        assertEquals(80, new Preferences(1, 5, 1).pollMicros(80, 3));
        assertEquals(320, new Preferences(2, 5, 1).pollMicros(80, 3));
        assertEquals(3, new Preferences(1, 5, 2).pollMicros(80, 3));
        assertEquals(2, new Preferences(1, 5, 2).pollMicros(2, 3));
        assertEquals(320, new Preferences(-1, 0, Integer.MIN_VALUE).pollMicros(80, 3), "negative numbers");
        assertEquals(0, new Preferences(9, 0, 0).pollMicros(0, 3), "no thread of the process is to poll");
        assertEquals(1_000, new Preferences(1, 0, 0).pollMicros(500, 3), "no preference makes a poll longer than a millisecond");
        assertEquals(1_000_000, new Preferences(1, 0, 0).pollMicros(1_000_000, 3), "what the setting allows");
        assertTrue(new Preferences(0, 0, 1).savesCpu());
        assertFalse(new Preferences(0, 0, 0).savesCpu());
    }

    @Test
    void latencyAndBandwidthDecideAboutLongWrites() {
        assertEquals(32_000, new Preferences(0, 1, 0).longMin(8_000));
        assertEquals(8_000, new Preferences(1, 1, 0).longMin(8_000));
        assertEquals(8_000, new Preferences(2, 1, 9).longMin(8_000));
    }
}
