package jfs.benchmarks.measurements;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class IdleConnectionsTest {
    /** A process makes connections fast until half of its descriptors are in use: 18 for 16 connections, and those of the JVM. */
    @Test
    void halfOfTheDescriptorsLimitsTheConnections() {
        assertEquals(8800, IdleConnections.most(20_000));
        assertEquals(0, IdleConnections.most(100));
        assertEquals(IdleConnections.most(Integer.MAX_VALUE), IdleConnections.most(Long.MAX_VALUE));
        assertTrue(IdleConnections.most() > 0);
    }
}
