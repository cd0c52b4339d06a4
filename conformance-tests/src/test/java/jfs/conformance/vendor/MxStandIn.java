package jfs.conformance.vendor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import jfs.conformance.harness.processes.Child;
import jfs.testing.Await;
import jfs.testing.FreePorts;
import jfs.testing.Natives;

/** A fabric of processes that use the stand-in for a vendor's MX library (standin.h), and the calls that it has recorded of them. */
final class MxStandIn {

    static final Path LIBRARY = Path.of(System.getProperty("mx.standin"));
    /** A stand-in that has no sessions. */
    static final Path OLD_LIBRARY = LIBRARY.resolveSibling("../mx-standin-old").normalize().resolve(LIBRARY.getFileName());

    /** The number of receives that an endpoint has posted at any time. */
    private static final int RECEIVES = 32;

    private final Path folder;
    private final Calls calls;
    private final Path rules;
    private final int port;

    /** @param folder an empty folder */
    MxStandIn(Path folder) throws IOException {
        this.folder = folder;
        this.calls = new Calls(folder);
        this.rules = Files.writeString(folder.resolve("rules"), "connect * * mx trusted forced\naccept * * mx trusted forced\n");
        this.port = FreePorts.firstOf(1);
    }

    /** Skips the test if this build's library has no UCX. The rules force MX, so UCX over TCP is enough. */
    static void assumeShim() {
        Natives.assumeMx();
    }

    /** From now on those calls fail that {@code STANDIN_FAIL=NAME:0} names. */
    void failNow() throws IOException {
        Files.createFile(folder.resolve("fail"));
    }

    /** A peer whose setting names the stand-in. */
    Child.Start peer(String... environment) {
        return peerWith(LIBRARY.toString(), environment);
    }

    /** A peer with this setting. It can find the stand-in. */
    Child.Start peerWith(String library, String... environment) {
        String[] command = Stream.concat(Stream.of("env", "STANDIN_DIR=" + folder), Stream.of(environment))
                .toArray(String[]::new);
        return Child.jfs().with("-Djfs.log=fallback").with("-Djfs.mx.library=" + library).with("-Djfs.rules=" + rules)
                .with("-Djfs.hosts.ports=" + port).with("-Djfs.hosts.address=127.0.0.1").under(command);
    }

    /** The port at which its processes find each other. */
    int port() {
        return port;
    }

    long times(Child peer, String call) throws IOException {
        return calls.times(peer, call);
    }

    /** The number of sends that have not completed, and of posted receives, in the words of the message. */
    private String left(Child peer) throws IOException {
        List<String> all = calls.of(peer);
        return count(all, "mx_isend ok") - count(all, "send ") + " sends, "
                + (count(all, "mx_irecv ok") - count(all, "receive ")) + " receives";
    }

    private static long count(List<String> calls, String beginning) {
        return calls.stream().filter(call -> call.startsWith(beginning)).count();
    }

    /** Asserts that nothing of a connection is under way any more, and that the peer has made no call that is not allowed. */
    void hasNothingLeft(Child peer) throws Exception {
        boolean open = times(peer, "mx_open_endpoint ok") > 0;
        String rest = "0 sends, " + (open ? RECEIVES : 0) + " receives";
        String[] left = {null};
        Await.until(() -> rest + " expected, but " + left[0], () -> {
            if (open) { // its next look posts a receive in the place of the last one that completed
                peer.begin("progress").isDone();
            }
            left[0] = left(peer);
            return left[0].equals(rest);
        });
        calls.hasNotMisused(peer);
    }

    void hasNotMisused(Child peer) throws IOException {
        calls.hasNotMisused(peer);
    }

    /** Asserts that the peer has never opened the network. */
    void isUnused(Child peer) throws IOException {
        assertEquals(0, times(peer, "mx_open_endpoint ok"));
    }
}
