package jfs.conformance.soak;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a process holds while it has no connection.
 *
 * @param live bytes by class, after a collection
 * @param ofJfs instances of JFS's own classes, which are its records of what is open
 * @param committed native memory by use, as the JVM counts it
 * @param resident the process's own resident bytes
 */
record Footprint(Map<String, Long> live, Map<String, Long> ofJfs, Map<String, Long> committed, long resident,
        long descriptors, long threads, Set<String> names) {

    /** Classes are loaded and caches filled at all times. That makes some hundred kilobytes, however long the test takes. */
    private static final long HEAP_MORE = 2 << 20;
    private static final long NATIVE_MORE = 6 << 20;
    /** Memory that was freed and that glibc keeps, that of compilers and collectors too. This bound is for the natives' own leaks. */
    private static final long RESIDENT_MORE = 64 << 20;
    /** Selectors and pollers that the JDK makes once, and late. */
    private static final long DESCRIPTORS_MORE = 4;
    /** The carriers of virtual threads. */
    private static final long THREADS_MORE = 8;
    /** Timers that are not due, and selectors that are kept. */
    private static final long INSTANCES_MORE = 40;
    /** Memory of the JVM itself: the heap's size and what follows from it, compiled code, and the compilers' memory. */
    private static final Set<String> NOT_LOOKED_AT = Set.of("Java Heap", "GC", "Code", "Compiler", "Arena Chunk",
            "Native Memory Tracking", "Shared class space");

    static Footprint of(Member member) throws IOException {
        return new Footprint(member.figures("live"), member.figures("jfs"), member.figures("native"),
                member.residentBytes(), member.descriptors(), member.figures("figures").get("threads"),
                member.namesNow());
    }

    long heap() {
        return live.values().stream().mapToLong(Long::longValue).sum();
    }

    long nativeBytes() {
        return committed.entrySet().stream().filter(entry -> !NOT_LOOKED_AT.contains(entry.getKey()))
                .mapToLong(Map.Entry::getValue).sum();
    }

    /** Everything that has grown since then by more than it may; empty if nothing has. */
    List<String> grownSince(Footprint before) {
        List<String> grown = new ArrayList<>();
        if (heap() > before.heap() + HEAP_MORE) {
            grown.add("heap " + before.heap() + " to " + heap() + most(before.live, live));
        }
        if (nativeBytes() > before.nativeBytes() + NATIVE_MORE) {
            grown.add("native memory " + before.nativeBytes() + " to " + nativeBytes()
                    + most(before.committed, committed));
        }
        if (resident > before.resident + RESIDENT_MORE) {
            grown.add("resident memory " + before.resident + " to " + resident);
        }
        if (descriptors > before.descriptors + DESCRIPTORS_MORE) {
            grown.add("descriptors " + before.descriptors + " to " + descriptors);
        }
        if (threads > before.threads + THREADS_MORE) {
            grown.add("threads " + before.threads + " to " + threads);
        }
        ofJfs.forEach((type, count) -> {
            long earlier = before.ofJfs.getOrDefault(type, 0L);
            if (count > earlier + INSTANCES_MORE) {
                grown.add("instances of " + type + " " + earlier + " to " + count);
            }
        });
        if (!names.equals(before.names)) {
            grown.add("names " + before.names + " to " + names);
        }
        return grown;
    }

    /** The ten entries that have grown most. */
    private static String most(Map<String, Long> before, Map<String, Long> after) {
        Map<String, Long> more = new TreeMap<>();
        after.forEach((name, bytes) -> more.put(name, bytes - before.getOrDefault(name, 0L)));
        return more.entrySet().stream().sorted(Map.Entry.<String, Long>comparingByValue().reversed()).limit(10)
                .map(Object::toString).toList().toString();
    }

    static String titles() {
        return String.format("%-54s %19s %19s %19s %11s %9s %s", "", "heap, KB", "native, KB", "resident, KB",
                "descriptors", "threads", "names");
    }

    /** Both footprints in one line. */
    String line(Member member, Footprint before) {
        return String.format("%-54s %8d to %7d %8d to %7d %8d to %7d %4d to %3d %3d to %2d %d to %d", member,
                before.heap() >> 10, heap() >> 10, before.nativeBytes() >> 10, nativeBytes() >> 10,
                before.resident >> 10, resident >> 10, before.descriptors, descriptors, before.threads, threads,
                before.names.size(), names.size());
    }
}
