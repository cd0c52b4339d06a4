package jfs.conformance.harness.processes;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jfs.testing.Await;

/** Commands of the system that only root may use, and not on every machine. */
public final class Commands {

    private Commands() {
    }

    /**
     * Precedes a command that is to run as in a container beside others: with own PID, mount and IPC namespaces, without
     * capabilities, and in the network namespace of all. The command is a child of this one, and is killed with it.
     */
    public static final List<String> CONTAINER = List.of("unshare", "--pid", "--mount", "--ipc", "--mount-proc", "--fork",
            "--kill-child", "setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs");

    /** Skips the test if this machine can't make containers. */
    public static void assumeContainers() throws Exception {
        List<String> command = new ArrayList<>(CONTAINER);
        command.add("true");
        assume("a container", command.toArray(String[]::new));
    }

    /** Skips the test, and says why, if the command does not work here. */
    public static void assume(String what, String... command) throws Exception {
        String failure;
        try {
            failure = failure(command);
        } catch (IOException e) {
            failure = e.getMessage();
        }
        assumeTrue(failure == null, what + " is not possible here: " + failure);
    }

    /** Sends SIGSTOP and waits until every thread has stopped. {@link #goOn} ends the stop, and so does a kill -9. */
    public static void stop(Child child) throws Exception {
        run("kill", "-STOP", "" + child.pid());
        Await.until("it has stopped", () -> {
            try (Stream<Path> threads = Files.list(Path.of("/proc/" + child.pid() + "/task"))) {
                return threads.allMatch(Commands::isStopped);
            }
        });
    }

    /** Sends SIGCONT. */
    public static void goOn(Child child) throws Exception {
        run("kill", "-CONT", "" + child.pid());
    }

    /** proc(5): the state follows the name, which is in parentheses and may be anything. */
    private static boolean isStopped(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            return stat.startsWith("T", stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return true; // the thread has ended
        }
    }

    public static void run(String... command) throws Exception {
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
