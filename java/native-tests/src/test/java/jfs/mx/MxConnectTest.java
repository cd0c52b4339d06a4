package jfs.mx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Map;
import jfs.nativelib.Mx;
import jfs.testing.Natives;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A thread that connects by a library without a descriptor, the stand-in for a vendor's. Its mx_wakeup ends mx_connect too. */
@Timeout(120)
class MxConnectTest {

    private static final int KEY = 4711;
    private static final int NUDGES = 20;

    @TempDir
    private Path folder;

    /** The other endpoint answers only after the endpoint's thread has been woken many times, within the time that a connect has. */
    @Test
    void goesOnWhenTheEndpointsThreadIsWoken() throws Exception {
        assertEquals("connected\n", OtherJvm.runWithStandIn(folder, Program.class, Map.of()));
    }

    static final class Program {
        public static void main(String[] arguments) throws Exception {
            Natives.assumeMx();
            MxEndpoint near = MxEndpoint.open(4_096);
            long[] far = new long[4]; // no thread makes it answer
            assertEquals(Mx.OK, Mx.openEndpoint(KEY, far));
            Thread connecting = Thread.currentThread();
            Thread nudging = new Thread(() -> {
                for (int nudges = 0; nudges < NUDGES;) {
                    if (isIn(connecting, "connect")) {
                        near.linger(near.newChannel(nudges++));
                    }
                }
                while (true) { // mx_peek makes progress
                    Mx.await(far[0], 1);
                }
            });
            nudging.setDaemon(true);
            nudging.start();
            near.connect(new MxEndpoint.Address(far[1], (int) far[2], KEY));
            System.out.print("connected\n");
            System.out.flush();
            Runtime.getRuntime().halt(0); // the other thread is in the library
        }

        private static boolean isIn(Thread thread, String call) {
            StackTraceElement[] stack = thread.getStackTrace();
            return stack.length > 0 && stack[0].getClassName().equals(Mx.class.getName()) && stack[0].getMethodName().equals(call);
        }
    }
}
