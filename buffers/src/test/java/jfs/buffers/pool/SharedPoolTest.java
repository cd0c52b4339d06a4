package jfs.buffers.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

/** The first calls of a JVM for the pool that all share. */
class SharedPoolTest {

    /** Asks for the pool, as often as its argument says. */
    static final class Program {

        public static void main(String[] arguments) {
            for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
                try (PooledBuffer buffer = BufferPools.shared().allocate(100)) {
                    System.out.println("has " + buffer.memory().remaining() + " bytes");
                } catch (IllegalArgumentException e) {
                    System.out.println(e.getMessage());
                }
            }
        }
    }

    @Test
    void aBadSettingIsTheSameErrorAtEachCall() throws Exception {
        String line = "jfs: bad setting jfs.buffers.debug=yes; allowed is a whole number from 0 to 2" + System.lineSeparator();
        assertEquals(line + line, OtherJvm.run(Program.class, "2", "-Djfs.buffers.debug=yes"));
    }

    @Test
    void aSecurityManagerThatForbidsToReadTheSettingLeavesTheDefault() throws Exception {
        assumeTrue(Runtime.version().feature() < 24, "newer JVMs have no security manager");
        String said = OtherJvm.run(Program.class, "1", "-Djava.security.manager", "-Djfs.buffers.debug=2");
        assertTrue(said.endsWith("has 100 bytes" + System.lineSeparator()), said); // behind the JVM's warning
    }
}
