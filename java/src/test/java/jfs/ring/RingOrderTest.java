package jfs.ring;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import jfs.Jcstress;
import jfs.memory.WakeWordOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the tests of {@link RingOrder}, {@link InboxWordOrder}, {@link AsleepWordOrder}, {@link PlaceOrder}, {@link BellOrder},
 * {@link SelectorOrder} and {@link WakeWordOrder} with jcstress.
 */
class RingOrderTest {

    @TempDir
    private Path folder;

    @Test
    @Timeout(value = 1, unit = TimeUnit.DAYS) // Jcstress limits the time of its process
    void twoThreadsSeeNoForbiddenOutcome() throws Exception {
        Jcstress.run(folder, 2, RingOrder.class, InboxWordOrder.class, AsleepWordOrder.class, PlaceOrder.class, BellOrder.class,
                SelectorOrder.class, WakeWordOrder.class);
    }
}
