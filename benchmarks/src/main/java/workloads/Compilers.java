package workloads;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What this JVM's compilers take of the processors, and how long they wait for one, by the kernel's account of their threads
 * (proc(5)). In a crowd of threads they wait for most of the time, and compile for seconds what would take a few milliseconds. The
 * JVM's own account (CompilationMXBean) counts a compilation when it has ended.
 */
final class Compilers {
    private static final Pattern NAME = Pattern.compile("C[12] Compiler.*");

    private final Map<String, Long> ran = new HashMap<>();

    /** Nanoseconds since the call before that they ran or waited for a processor, of all together. */
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
                // It has ended: compilers with nothing to do are let go.
            }
        }
        if (ran.isEmpty()) {
            throw new IOException("/proc tells nothing of this JVM's compilers");
        }
        return sum;
    }
}
