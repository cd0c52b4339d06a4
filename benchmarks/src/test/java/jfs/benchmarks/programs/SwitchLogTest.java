package jfs.benchmarks.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class SwitchLogTest {
    @Test
    void findsTheSwitchInTheMiddleOfAProgramsOwnLine() {
        String line = "  0:       1 bytes   1000 times --> jfs: switched out after 5 bytes Socket[port=5002] over sci";
        assertTrue(SwitchLog.of(List.of(line), 5002).switched());
    }

    @Test
    void anotherConnectionsSwitchIsNotTheMeasuredOnes() {
        SwitchLog log = SwitchLog.of(List.of("jfs: switched out after 5002 bytes Socket[port=15002]"), 500);
        assertFalse(log.switched());
        assertEquals(1, log.otherEvents().size());
    }

    @Test
    void theSummaryTellsHowManyWereFast() {
        assertEquals(7, SwitchLog.fast(List.of("result 1=1", "jfs: 8 connections: 7 fast, 1 over TCP (NO_PEER 1)")));
        assertEquals(0, SwitchLog.fast(List.of("jfs: no fast path in this process: no library")));
    }

    @Test
    void theSummaryIsKeptAsItIs() {
        String summary = "8 connections: 7 fast, 1 over TCP (NO_PEER 1)";
        assertEquals(summary, SwitchLog.summary(List.of("jfs: fallback no-library", "jfs: " + summary, "result 1=1")));
        assertEquals("", SwitchLog.summary(List.of("jfs: no fast path in this process: no library")));
    }

    @Test
    void theReasonWhyChannelsHaveNoFastPathIsKept() {
        String reason = "no fast path for channels in this process: the program has set another provider";
        assertEquals(reason, SwitchLog.withoutChannels(List.of("port 5002", "jfs: " + reason, "jfs: 0 connections: 0 fast, 0 over TCP")));
        assertEquals("", SwitchLog.withoutChannels(List.of("jfs: no fast path in this process: no library")));
    }

    @Test
    void otherEventsAreKeptOnceEach() {
        List<String> output = List.of("jfs: fallback no-library", "5002 switched", "jfs: fallback no-library", "jfs: not switched 5002");
        SwitchLog log = SwitchLog.of(output, 5002);
        assertFalse(log.switched());
        assertEquals(List.of("jfs: fallback no-library", "jfs: not switched 5002"), log.otherEvents());
    }
}
