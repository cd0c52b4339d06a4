package jfs.conformance.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Commands;

/**
 * A wire between two hosts that delays and loses frames (conformance-tests/wire). The same {@code test.seed} gives the same
 * random numbers.
 */
final class BadWire {

    private BadWire() {
    }

    /** Skips the test, and says why, if this machine can't make such a wire. */
    static void assume() throws Exception {
        TwoHosts.assume();
        Commands.assume("a TAP device", "unshare", "--net", "ip", "tuntap", "add", "dev", TwoHosts.WIRE, "mode", "tap");
    }

    /**
     * Makes a wire that lasts until both processes have ended. Frames that the first one sent last are still under way when
     * it ends.
     */
    static Process between(Child one, Child other, String... how) throws IOException {
        List<String> words = new ArrayList<>(List.of(how));
        words.addAll(List.of("seed", "" + Long.getLong("test.seed", System.nanoTime())));
        List<String> command = new ArrayList<>(List.of(System.getProperty("test.wire"), "" + one.pid(), "" + other.pid()));
        command.addAll(words);
        Process wire = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        CompletableFuture.allOf(end(one), end(other)).thenRun(wire::destroyForcibly);
        System.out.println("a wire with " + String.join(" ", words));
        BufferedReader said = wire.inputReader();
        said.readLine(); // the line with the seed
        assertEquals("ready", said.readLine());
        return wire;
    }

    private static CompletableFuture<ProcessHandle> end(Child host) {
        return ProcessHandle.of(host.pid()).orElseThrow().onExit();
    }
}
