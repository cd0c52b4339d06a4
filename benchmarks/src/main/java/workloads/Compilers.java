package workloads;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Measures how long this JVM's compiler threads run and how long they wait for a processor, by the kernel's account of these threads
 * (proc(5)). In a crowd of threads the compilers wait most of the time, so a compilation of a few milliseconds takes seconds. The
 * JVM's own account (CompilationMXBean) counts a compilation only when it has ended.
 */
final class Compilers {
    private static final Pattern NAME = Pattern.compile("C[12] Compiler.*");

    private final Map<String, Long> ran = new HashMap<>();

    /** Nanoseconds for which all compiler threads together have run or waited for a processor since the previous call. */
    long nanos() throws IOException {
        long sum = 0;
        for (String thread : new File("/proc/self/task").list()) {
            Path folder = Path.of("/proc/self/task", thread);
            try {
                if (NAME.matcher(Files.readString(folder.resolve("comm")).strip()).matches()) {
                    String[] times = Files.readString(folder.resolve("schedstat")).split(" ");
                    long nanos = Long.parseLong(times[0]) + Long.parseLong(times[1]);
                    Long before = ran.put(thread, nanos);
                    sum += nanos - (before == null ? 0 : before);
                }
            } catch (IOException e) {
                // The thread has ended: the JVM ends compiler threads with nothing to do.
            }
        }
        if (ran.isEmpty()) {
            throw new IOException("/proc tells nothing of this JVM's compilers");
        }
        return sum;
    }
}
