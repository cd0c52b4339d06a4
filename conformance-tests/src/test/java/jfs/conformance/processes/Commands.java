package jfs.conformance.processes;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jfs.conformance.Await;

/** Commands of the system that only root may use, and not everywhere. */
final class Commands {

    private Commands() {
    }

    /** Skips the test, and says why, unless the command works here. */
    static void assume(String what, String... command) throws Exception {
        String failure;
        try {
            failure = failure(command);
        } catch (IOException e) {
            failure = e.getMessage();
        }
        assumeTrue(failure == null, what + " is not possible here: " + failure);
    }

    static void run(String... command) throws Exception {
        String failure = failure(command);
        if (failure != null) {
            throw new AssertionError(failure);
        }
    }

    private static String failure(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        if (!process.waitFor(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            return List.of(command) + " does not end";
        }
        String output = new String(process.getInputStream().readAllBytes()).strip();
        return process.exitValue() == 0 ? null : List.of(command) + ": " + output;
    }
}
