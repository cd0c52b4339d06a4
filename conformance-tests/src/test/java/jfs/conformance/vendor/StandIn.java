package jfs.conformance.vendor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import jfs.conformance.harness.processes.Child;
import jfs.testing.Await;

/** A fabric of processes that use the stand-in for a vendor's library (standin.h), and the calls that it has recorded of them. */
final class StandIn {

    static final Path LIBRARY = Path.of(System.getProperty("sisci.standin"));
    /** A stand-in that has no sequences. */
    static final Path OLD_LIBRARY = Path.of(System.getProperty("sisci.standin.old"));

    /** For each call that ends something, the calls that make it. */
    private static final Map<String, List<String>> MAKERS = Map.of(
            "SCIRemoveSegment", List.of("SCICreateSegment"),
            "SCIDisconnectSegment", List.of("SCIConnectSegment"),
            "SCIUnmapSegment", List.of("SCIMapLocalSegment", "SCIMapRemoteSegment"),
            "SCIRemoveSequence", List.of("SCICreateMapSequence"),
            "SCIRemoveInterrupt", List.of("SCICreateInterrupt"),
            "SCIDisconnectInterrupt", List.of("SCIConnectInterrupt"));

    private final Path folder;
    private final Calls calls;

    /** @param folder an empty folder */
    StandIn(Path folder) {
        this.folder = folder;
        this.calls = new Calls(folder);
    }

    /** A peer whose setting names the stand-in. */
    Child.Start peer(String... environment) {
        return peerWith(LIBRARY.toString(), environment);
    }

    /** A peer with this setting. It can find the stand-in. */
    Child.Start peerWith(String library, String... environment) {
        String[] command = Stream.concat(Stream.of("env", "STANDIN_DIR=" + folder), Stream.of(environment))
                .toArray(String[]::new);
        return Child.jfs().with("-Djfs.log=fallback").with("-Djfs.sci.library=" + library).under(command);
    }

    /** How often the peer has made a call with that outcome. */
    long times(Child peer, String call) throws IOException {
        return calls.times(peer, call);
    }

    /** How many things of each kind are made and not yet ended, by the call that ends them. */
    private Map<String, Long> left(Child peer) throws IOException {
        Map<String, Long> counts = new HashMap<>();
        calls.of(peer).forEach(call -> counts.merge(call, 1L, Long::sum));
        Map<String, Long> left = new TreeMap<>();
        MAKERS.forEach((ends, makes) -> {
            long made = makes.stream().mapToLong(call -> counts.getOrDefault(call + " ok", 0L)).sum();
            long ended = counts.getOrDefault(ends + " ok", 0L);
            if (made != ended) {
                left.put(ends, made - ended);
            }
        });
        return left;
    }

    /** Asserts that the peer has ended all that it has made, and has made no call that is not allowed. */
    void hasNothingLeft(Child peer) throws Exception {
        Await.until(() -> "all is ended again, but " + lines(peer), () -> left(peer).isEmpty());
        hasNotMisused(peer);
    }

    void hasNotMisused(Child peer) throws IOException {
        calls.hasNotMisused(peer);
    }

    private String lines(Child peer) {
        try {
            return left(peer) + " of " + calls.of(peer);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Asserts that no segment is on the fabric any more. */
    void isEmpty() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(List.of(), files.filter(file -> file.getFileName().toString().startsWith("segment-")).toList());
        }
    }
}
