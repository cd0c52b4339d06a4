package jfs.conformance.hostile;

import com.sun.jna.Function;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;

/** Calls of futex(2) that a hostile peer may make on memory that it shares with its victim. */
final class Futex {

    private static final long SYS_FUTEX = System.getProperty("os.arch").equals("aarch64") ? 98 : 202;
    private static final int REQUEUE = 3;

    private Futex() {
    }

    /**
     * Moves all threads that sleep at one word to another word of the same memory. It wakes none of them.
     *
     * @param from offset of the word, bytes
     * @return how many threads were moved
     */
    static long moveSleepers(ByteBuffer memory, int from, int to) {
        Pointer start = Native.getDirectBufferPointer(memory);
        return ((NativeLong) Function.getFunction("c", "syscall", Function.THROW_LAST_ERROR).invoke(NativeLong.class, new Object[] {
            new NativeLong(SYS_FUTEX), start.share(from), REQUEUE, 0, new NativeLong(Integer.MAX_VALUE), start.share(to), 0}))
                .longValue();
    }
}
