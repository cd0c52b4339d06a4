package jfs.conformance.blocking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Pair;
import jfs.conformance.harness.Start;
import jfs.testing.Await;
import jfs.testing.Background;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Signals that a blocked thread gets, for example from a profiler, end no wait. */
class SignalTest {

    private static final String NAME = "gets signals"; // at most 15 characters, because the kernel keeps no more
    /** The number of the system call that signals one thread. */
    private static final Map<String, Integer> TGKILL = Map.of("amd64", 234, "aarch64", 131);
    /** A signal that the JVM handles by doing nothing. */
    private static final int SIGPIPE = 13;
    private static final int SIGNALS = 5;

    @BeforeAll
    static void aThreadCanBeSignalled() throws Exception {
        assumeTrue(TGKILL.containsKey(System.getProperty("os.arch")),
                "the number of the system call tgkill is not known for " + System.getProperty("os.arch"));
        try {
            assumeTrue(perl("exit 0") == 0, "perl, which sends the signals, does not work");
        } catch (IOException e) {
            assumeTrue(false, "perl, which sends the signals, is not installed: " + e);
        }
    }

    private static int perl(String program) throws Exception {
        return new ProcessBuilder("perl", "-e", program).redirectErrorStream(true).redirectOutput(Redirect.DISCARD)
                .start().waitFor();
    }

    private static String thread() throws Exception {
        for (File task : new File("/proc/self/task").listFiles()) {
            try {
                if (Files.readString(Path.of(task.getPath(), "comm")).strip().equals(NAME)) {
                    return task.getName();
                }
            } catch (IOException e) {
                continue; // the thread has ended
            }
        }
        throw new AssertionError("no thread that " + NAME);
    }

    /** Does the work in a thread that gets signals while it waits. Returns when the thread waits again. */
    private static <T> Background<T> signalled(Callable<T> work) throws Exception {
        Background<T> waiting = Background.call(work, runnable -> {
            Thread thread = new Thread(runnable, NAME);
            thread.setDaemon(true);
            return thread;
        }).blocked();
        assertEquals(0, perl("for (1.." + SIGNALS + ") { syscall(" + TGKILL.get(System.getProperty("os.arch")) + ", "
                + ProcessHandle.current().pid() + ", " + thread() + ", " + SIGPIPE
                + ") == 0 or die; select(undef, undef, undef, 0.001) }"));
        return waiting.blocked();
    }

    private static <T> T done(Background<T> waiting) throws Exception {
        T result = waiting.result();
        waiting.thread().join(); // else there could be two threads of that name
        return result;
    }

    @ParameterizedTest
    @MethodSource("jfs.conformance.harness.Start#overIPv4")
    void readersAndWritersWaitOn(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            for (int timeout : new int[] {0, (int) Await.LIMIT.toMillis()}) {
                ends.near().setSoTimeout(timeout);
                Background<Integer> reader = signalled(() -> ends.in().read());
                ends.farOut().write('x');
                assertEquals('x', done(reader));
            }
            int length = 16 << 20;
            Background<Void> writer = signalled(() -> {
                ends.out().write(Bytes.of(1, 0, length));
                return (Void) null;
            });
            Bytes.expect(ends.farIn(), 1, 0, length);
            done(writer);
        }
    }

    @Test
    void acceptorsWaitOn() throws Exception {
        try (ServerSocket listener = Pair.listener()) {
            for (int timeout : new int[] {0, (int) Await.LIMIT.toMillis()}) {
                listener.setSoTimeout(timeout);
                Background<Socket> acceptor = signalled(listener::accept);
                try (Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
                    done(acceptor).close();
                }
            }
        }
    }
}
