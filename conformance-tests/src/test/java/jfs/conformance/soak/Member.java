package jfs.conformance.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Leftovers;

/** A {@link Node} as its parent sees it, from the inside and, by {@code /proc}, from the outside. */
public final class Member {

    private static final long NANOS_PER_TICK = TimeUnit.SECONDS.toNanos(1) / 100; // USER_HZ of all Linux systems

    final int number;
    final boolean serves;
    /** A description for messages. */
    final String name;
    final long port;
    /** Of the listener of channels; 0 for none. */
    final long channelPort;
    /** The process's names in the abstract namespace. */
    public final Set<String> names;
    private final Child child;

    Member(int number, boolean serves, String what, Child child) throws IOException {
        this.number = number;
        this.serves = serves;
        this.name = (serves ? "server " : "client ") + number + " (" + what + ")";
        this.child = child;
        port = serves ? child.ask("port") : 0;
        channelPort = serves ? child.ask("channelPort") : 0;
        names = Leftovers.namesOf(child.pid());
    }

    /** @throws AssertionError unless the process carries the order out */
    void tell(String order) {
        String result = child.tell(order);
        if (!result.equals("done")) {
            throw new AssertionError(name + ", \"" + order + "\": " + result);
        }
    }

    long ask(String order) {
        return child.ask(order);
    }

    boolean says(String order) {
        return Boolean.parseBoolean(child.tell(order));
    }

    List<String> lines(String order) {
        return Arrays.stream(child.tell(order).split(Figures.LINE)).filter(line -> !line.isEmpty()).toList();
    }

    public Map<String, Long> figures(String order) {
        return Figures.decoded(child.tell(order));
    }

    /** Kills the process by SIGKILL. Returns when it has ended. */
    void kill() throws InterruptedException {
        child.kill();
        child.awaitEnd();
    }

    long descriptors() throws IOException {
        try (Stream<Path> all = Files.list(proc("fd"))) {
            return all.count();
        }
    }

    /** The number of mappings of memory that fast connections share. */
    long sharedMappings() throws IOException {
        try (Stream<String> maps = Files.lines(proc("maps"))) {
            return maps.filter(line -> line.contains("memfd:sisci-segment")).count();
        }
    }

    /** The process's own resident bytes: the heap, all of which is touched at the start, and its other memory. */
    long residentBytes() throws IOException {
        try (Stream<String> lines = Files.lines(proc("smaps_rollup"))) {
            return lines.filter(line -> line.startsWith("Anonymous:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10).sum();
        }
    }

    /** CPU time that the process has used. */
    long cpuNanos() throws IOException {
        String stat = Files.readString(proc("stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" "); // proc(5), from the third field on
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * NANOS_PER_TICK;
    }

    Set<String> namesNow() throws IOException {
        return Leftovers.namesOf(child.pid());
    }

    private Path proc(String what) {
        return Path.of("/proc/" + child.pid() + "/" + what);
    }

    @Override
    public String toString() {
        return name;
    }
}
