package workloads;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What this JVM's compilers take of the processors, by the kernel's account of their threads (proc(5)). The JVM's own
 * (CompilationMXBean) counts a compilation when it has ended, and one that others leave no processor to may take a second.
 */
final class Compilers {
    private static final Pattern NAME = Pattern.compile("C[12] Compiler.*");

    private final Map<String, Long> ran = new HashMap<>();

    /** Nanoseconds since the call before, of all together. */
    long nanos() throws IOException {
        long sum = 0;
        for (String thread : new File("/proc/self/task").list()) {
            Path folder = Path.of("/proc/self/task", thread);
            try {
                if (NAME.matcher(Files.readString(folder.resolve("comm")).strip()).matches()) {
                    long nanos = Long.parseLong(Files.readString(folder.resolve("schedstat")).split(" ")[0]);
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
