package jfs.transport.sci;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LeaseTest {

    /** Who leaves last frees; but the library may wait for its callback when something is freed. */
    @Test
    void freesOutsideOfACallback() throws Exception {
        CompletableFuture<Thread> freed = new CompletableFuture<>();
        Lease lease = new Lease(new Object(), () -> freed.complete(Thread.currentThread()));
        assertTrue(lease.enter());
        lease.retireReceiver();
        lease.retireSender();
        assertFalse(freed.isDone());
        lease.leaveCallback();
        assertNotSame(Thread.currentThread(), freed.get());
    }
}
