package workloads;

import com.sun.management.ThreadMXBean;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/** What this JVM has allocated and what it holds, according to the JVM itself and to proc(5). */
public final class Footprint {
    private static final Pattern CLASS = Pattern.compile("\\s*\\d+:\\s+(\\d+)\\s+(\\d+)\\s+(\\S+).*");
    private static final Pattern OF_JFS = Pattern.compile("jfs\\..*");

    private Footprint() {}

    /** Bytes that all live threads have allocated so far. */
    public static long allocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
            sum += Math.max(0, bytes); // -1: the thread has ended meanwhile
        }
        return sum;
    }

    /**
     * Collects garbage, and returns what is left: {@code heap} bytes; {@code jfs}, the number of instances of JFS's classes, in which JFS
     * records what is open; {@code resident} bytes; {@code descriptors}, {@code threads} and {@code mappings}; {@code shared},
     * see {@link #shared}.
     */
    public static Map<String, Double> now() throws IOException {
        double heap = 0;
        double ofJfs = 0;
        for (String line : histogram().lines().toList()) {
            Matcher row = CLASS.matcher(line);
            if (row.matches()) {
                heap += Double.parseDouble(row.group(2));
                ofJfs += OF_JFS.matcher(row.group(3)).matches() ? Double.parseDouble(row.group(1)) : 0;
            }
        }
        List<String> status = Files.readAllLines(Path.of("/proc/self/status"));
        Map<String, Double> all = new LinkedHashMap<>();
        all.put("heap", heap);
        all.put("jfs", ofJfs);
        all.put("resident", number(status, "VmRSS:") * 1024);
        all.put("descriptors", (double) new File("/proc/self/fd").list().length);
        all.put("threads", number(status, "Threads:"));
        all.put("mappings", (double) Files.readAllLines(Path.of("/proc/self/maps")).size());
        all.put("shared", (double) shared(ProcessHandle.current().pid()));
        return all;
    }

    /** Bytes of shared segments in that process. Memory that two processes have mapped counts half in each. */
    public static long shared(long pid) throws IOException {
        long bytes = 0;
        boolean segment = false;
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/smaps"))) {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                segment = line.contains("memfd:sisci");
            } else if (segment && line.startsWith("Pss:")) {
                bytes += Long.parseLong(line.replaceAll("\\D", "")) << 10;
            }
        }
        return bytes;
    }

    private static double number(List<String> status, String name) {
        return status.stream().filter(line -> line.startsWith(name))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", ""))).findFirst().orElse(0);
    }

    /** The histogram of live objects by class. */
    private static String histogram() throws IOException {
        try {
            return (String) ManagementFactory.getPlatformMBeanServer().invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
                    new Object[] {new String[0]}, new String[] {String[].class.getName()});
        } catch (JMException e) {
            throw new IOException(e);
        }
    }
}
