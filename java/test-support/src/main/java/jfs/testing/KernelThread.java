package jfs.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A thread as the kernel sees it: whether it runs or sleeps. A thread that is in a native method does not tell that by its stack. On a busy
 * machine it may be there for long because it has no core. proc(5) has the two files, {@code /proc/thread-self} and {@code stat}.
 */
final class KernelThread {

    private static final Path SELF = Path.of("/proc/thread-self");
    private static final Path PROC = Path.of("/proc");

    /** Null if that is not known: before the thread has begun, and for a virtual thread, which has no thread of the kernel of its own. */
    private volatile Path stat;

    /** The calling thread is the one. */
    void isThisThread() {
        if (Thread.currentThread().getClass() == Thread.class) { // a virtual thread is of another class
            try {
                stat = PROC.resolve(Files.readSymbolicLink(SELF)).resolve("stat");
            } catch (IOException e) {
                // Then nothing is known.
            }
        }
    }

    /** Whether the thread has a core, or waits for one. False also if that is not known. Any thread may call it. */
    boolean runs() {
        Path file = stat;
        if (file == null) {
            return false;
        }
        try {
            String text = Files.readString(file);
            return text.charAt(text.lastIndexOf(')') + 2) == 'R'; // the name of the thread, in parentheses, may have any character
        } catch (IOException e) { // it has ended, or no descriptor is left
            return false;
        }
    }
}
