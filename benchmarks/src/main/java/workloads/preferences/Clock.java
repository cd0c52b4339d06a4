package workloads.preferences;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Time that passes, and the processor time of a process. */
final class Clock {
    private Clock() {}

    /** Computes until that many nanoseconds have passed since {@code start}. @return the nanoseconds that have passed */
    static long compute(long start, long nanos) {
        long passed = System.nanoTime() - start;
        while (passed < nanos) {
            passed = System.nanoTime() - start;
        }
        return passed;
    }

    /**
     * Nanoseconds that all live threads of that process have run so far, by the scheduler's account of each of them (proc(5): schedstat).
     * The time of a process in /proc/PID/stat has steps of 10 ms, which would be too coarse for a turn.
     */
    static long processorNanos(long pid) throws IOException {
        long sum = 0;
        String folder = "/proc/" + pid + "/task";
        String[] threads = new File(folder).list();
        if (threads == null) {
            throw new IOException("there is no " + folder);
        }
        for (String thread : threads) {
            try {
                sum += Long.parseLong(Files.readString(Path.of(folder, thread, "schedstat")).split(" ")[0]);
            } catch (IOException e) {
                // The thread has ended meanwhile.
            }
        }
        return sum;
    }
}
