package jfs.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The measurements of messages, of the start of a JVM and of the libraries in C, with stand-ins. */
class MessagesTest extends Runs {
    @Test
    void benchMeasuresBetweenTwoJvms() throws Exception {
        assertEquals(0, run("bench", "pingpong", "--forks", "1", "--sizes", "1,70000", "--turns", "2"), err::toString);
        assertTrue(out.toString().lines().anyMatch(line -> line.matches(" *70000 +\\S+ +\\S+ +0.0500 .*")), out::toString);
        assertTrue(out.toString().contains("switched in 0 of 2 forks; in the others it ran over plain TCP"), out::toString);
        pageHas(2);
    }

    @Test
    void benchMeasuresQueuesBesideTheFloorAndC() throws Exception {
        assertEquals(0, run("bench", "scilib", "--forks", "1", "--sizes", "8,5000", "--turns", "2"), err::toString);
        String text = out.toString();
        assertTrue(text.lines().anyMatch(line -> line.matches(" *5000 +0.0490 +0.0490 +\\S+ +1.00 .*")), text);
        assertTrue(text.contains("8 bytes: C over SCILib to the C floor         1.00 x   goal <= 1.5 x   met"), text);
        pageHas(1);
    }

    @Test
    void benchKnowsThePlainPeerAndTheStart() throws Exception {
        assertEquals(0, runWithJar("bench", "plainpeer", "--sizes", "1", "--turns", "2"), err::toString);
        assertEquals(0, runWithJar("bench", "startup"), err::toString);
        String text = out.toString();
        assertTrue(text.contains("JFS to JDK") && text.contains("JDK to JFS"), text);
        assertTrue(text.lines().anyMatch(line -> line.matches(" *one connection +-javaagent( +\\S+){3}")), text);
        assertTrue(text.lines().anyMatch(line -> line.matches("one connection of channels +JFSLauncher( +\\S+){3}")), text);
        assertTrue(text.lines().anyMatch(line -> line.matches(" *no sockets +empty agent( +\\S+){3}")), text);
        pageHas(1);
    }

    @Test
    void benchPutsTheSisciLibraryBesideWhatItIsMadeOf() throws Exception {
        standIn("shm-whole", "floor program=shm-whole bytes=8 ns=50.00 least_ns=49.00");
        standIn("tcp-pingpong", "floor program=tcp-pingpong bytes=1 ns=50.00 least_ns=49.00");
        standIn("sisci-setup", "floor program=sisci-setup bytes=65536 ns=120.0 connected_ns=60.0 by_hand_ns=30.0 rounds=9");
        standIn("shmem_pingpong", "shmem_pingpong: 8 bytes: 0.1000 us one way, 80.0 MB/s");
        standIn("interrupt_pingpong", "interrupt_pingpong: 0.1000 us one way");
        assertEquals(0, run("bench", "sisci", "--forks", "2"), err::toString);
        String text = out.toString();
        assertTrue(text.lines().anyMatch(line -> line.matches(" *65536 bytes, one way +0.100 +0.0500 .* 2.00 +2.00..2.00")), text);
        assertTrue(text.contains("4.00 x   goal <= 3 x   not met") && text.contains("2.00 x   goal <= 3 x   met"), text);
        pageHas(1);
    }
}
