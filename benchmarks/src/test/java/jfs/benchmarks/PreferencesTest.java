package jfs.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The measurement of preferences, with a stand-in for the launcher: the connections go over the JDK's sockets. */
class PreferencesTest extends Runs {
    @Test
    void benchComparesEachPreference() throws Exception {
        assertEquals(0, runWithJar("bench", "preferences", "--turns", "2", "--seconds", "0.02"), err::toString);
        String text = out.toString();
        assertEquals(3, text.lines().filter(line -> line.matches(" *64 bytes every \\d+ us +JFS( +\\S+){3}")).count(), text);
        assertEquals(3, text.lines().filter(line -> line.matches(" *64 bytes every \\d+ us +cpu > latency( +\\S+){9}")).count(), text);
        assertTrue(text.lines().anyMatch(line -> line.matches(" *64 bytes there and back +latency > cpu( +\\S+){9}")), text);
        assertTrue(text.lines().anyMatch(line -> line.matches(" *a request that takes 150 to 250 us +JDK's sockets( +\\S+){6}")), text);
        assertTrue(text.lines().anyMatch(line -> line.matches(" *stream of 1 MB each +bandwidth > latency( +\\S+){3}")), text);
        assertTrue(text.contains("naps: write call to jfs.poll.micros=0, 64 bytes every 20 us"), text);
        assertTrue(text.contains("latency > cpu: beyond the service, a request"), text);
        assertTrue(text.contains("bandwidth > latency: time, 1 MB there and back"), text);
        assertTrue(text.contains("0 of 24 connections over JFS were switched; the others ran over plain TCP."), text);
        pageHas(9);
    }

    @Test
    void aTurnIsNotLongerThanTheClientMayTake() {
        assertEquals(2, run("bench", "preferences", "--seconds", "6"));
        assertTrue(err.toString().startsWith("jfs: --seconds: 6.0 is not more than 0 and at most 5.0"), err::toString);
    }
}
