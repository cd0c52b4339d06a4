package jfs.conformance.vendor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jfs.conformance.harness.processes.Child;

/** The calls that a stand-in for a vendor's library has recorded of the processes that use it (calls.h). */
record Calls(Path folder) {

    /** The calls of this peer, in their order. */
    List<String> of(Child peer) throws IOException {
        Path file = folder.resolve("calls-" + peer.pid());
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    /** How often this peer has made a call with that outcome. */
    long times(Child peer, String call) throws IOException {
        return of(peer).stream().filter(call::equals).count();
    }

    void hasNotMisused(Child peer) throws IOException {
        assertEquals(List.of(), of(peer).stream().filter(call -> call.startsWith("VIOLATION")).toList());
    }
}
