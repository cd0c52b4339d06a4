package jfs.transport.sci;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LeaseTest {

    @Test
    void theLastUserFreesThePath() {
        AtomicInteger freed = new AtomicInteger();
        Lease lease = new Lease(new Object(), freed::incrementAndGet);
        assertTrue(lease.enter());
        lease.retireReceiver();
        lease.retireSender();
        assertFalse(lease.enter());
        assertEquals(0, freed.get());
        lease.leave();
        assertEquals(1, freed.get());
    }
}
