package workloads.many;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import workloads.Footprint;

/** What this process and its server have used, as proc(5) tells. */
final class Usage {
    /** The clock tick of proc_pid_stat(5). Linux shows a hundred ticks a second to programs. */
    private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1) / 100;

    private Usage() {}

    /** Processor time of both processes in nanoseconds. */
    record Cpu(long nanos) {
        long since(Cpu before) {
            return nanos - before.nanos;
        }
    }

    static Cpu cpu(long server) throws IOException {
        return new Cpu(nanosOf(server) + nanosOf(ProcessHandle.current().pid()));
    }

    private static long nanosOf(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" "); // from the third field on
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * TICK_NANOS;
    }

    /** Bytes of shared segments in both processes. Memory that both have mapped counts half in each. */
    static long sharedBytes(long server) throws IOException {
        return Footprint.shared(server) + Footprint.shared(ProcessHandle.current().pid());
    }

    /** Bytes that both processes have in memory: heap, code, shared segments. Memory that they share counts half in each. */
    static long residentBytes(long server) throws IOException {
        return rollup(server) + rollup(ProcessHandle.current().pid());
    }

    private static long rollup(long pid) throws IOException {
        return first(Files.readAllLines(Path.of("/proc/" + pid + "/smaps_rollup")), "Pss:");
    }

    private static long first(List<String> lines, String name) {
        return lines.stream().filter(line -> line.startsWith(name)).mapToLong(Usage::kilobytes).findFirst().orElse(0);
    }

    private static long kilobytes(String line) {
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
    }

    /** The kernel's page, which has 4, 16 or 64 KB. Some memory of the process may have larger ones. */
    private static long pageBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/smaps")).stream().filter(line -> line.startsWith("KernelPageSize:"))
                .mapToLong(Usage::kilobytes).min().orElseThrow();
    }

    /** Bytes that all TCP sockets hold in the kernel's buffers, as /proc/net/sockstat of this network namespace tells. */
    static long kernelBytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/net/sockstat"))) {
            if (line.startsWith("TCP:")) {
                return Long.parseLong(line.replaceAll(".* mem (\\d+).*", "$1")) * pageBytes();
            }
        }
        return 0;
    }
}
