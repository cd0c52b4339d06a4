package jfs.scilib;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import jfs.Jcstress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the test of {@link TurnLockOrder} with jcstress. It has three threads. So it is skipped, with that reason, on two processors. */
class TurnLockOrderTest {

    @TempDir
    private Path folder;

    @Test
    @Timeout(value = 1, unit = TimeUnit.DAYS) // Jcstress limits the time of its process
    void threeThreadsSeeNoForbiddenOutcome() throws Exception {
        Jcstress.run(folder, 3, TurnLockOrder.class);
    }
}
