package jfs.conformance.endings;

import static org.junit.jupiter.api.Assertions.assertAll;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import jfs.conformance.harness.Family;
import jfs.conformance.harness.Start;
import jfs.conformance.harness.Subject;
import jfs.testing.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sequences of ways to end a connection or one of its directions, and all that either end sees afterwards. */
@Tag("ends") // it knows what differs at the ends that are channels
class EndingsTest {

    /** The steps before the last one. Each letter is a {@linkplain #step step}. */
    private static final String[] BEFORE = {"", "w", "u", "wu", "o", "i", "iu", "oi", "wo", "ou", "wuoi", "O", "wO", "uO",
        "I", "OI", "wuoO", "l", "uoD"};

    private static final Set<Subject> OVER_CHANNELS = Set.of(Subject.NIO, Subject.NIO_SCI);

    /** The checks look from both ends. So the roles of client and server are swapped only in the starts in which the ends differ. */
    static Stream<Start> starts() {
        return Start.all().stream().filter(start -> start.family() == Family.IPV4 && (start.atClient()
                || start.progress() == Start.Progress.HALF_SWITCHED || start.progress() == Start.Progress.PLAIN_PEER));
    }

    private static void step(char step, Start.Ends ends) throws Exception {
        switch (step) {
            case 'w' -> write(ends.out(), ends.farIn());
            case 'u' -> write(ends.farOut(), ends.near().isInputShutdown() ? null : ends.in());
            case 'o' -> ends.near().shutdownOutput();
            case 'i' -> ends.near().shutdownInput();
            case 'O' -> ends.far().shutdownOutput();
            case 'I' -> ends.far().shutdownInput();
            case 'D' -> ends.farIn().close();
            case 'l' -> ends.near().setSoLinger(true, 3);
            case 'c' -> ends.near().close();
            case 'r' -> {
                ends.near().setSoLinger(true, 0);
                ends.near().close();
            }
            default -> throw new AssertionError(step);
        }
    }

    private static void write(OutputStream out, InputStream arrives) throws Exception {
        out.write(new byte[] {1, 2, 3});
        if (arrives != null) {
            Await.until("they are there", () -> arrives.available() == 3);
        }
    }

    /**
     * Runs each of these sequences and then looks from either end. The other end reads first in one run, and writes first
     * in the next.
     */
    private static void each(Start start, String last) {
        List<Executable> programs = new ArrayList<>();
        for (String before : BEFORE) {
            programs.add(() -> look(start, before + last, true, "arrrarww"));
            // A channel does not ask the kernel again once its output is shut down, so it never learns of the reset.
            boolean deaf = OVER_CHANNELS.contains(Subject.current()) && before.indexOf('O') >= 0 && last.equals("r");
            programs.add(() -> look(start, before + last, false, deaf ? "arrrarr" : "arrrarwwr"));
            programs.add(() -> look(start, before + last, false, deaf ? "rarrrrar" : "wwarrrraw"));
        }
        assertAll(programs);
    }

    private static void look(Start start, String steps, boolean near, String look) throws Exception {
        boolean holdsBack = start.progress() == Start.Progress.ATTACHED && start.atClient();
        start.sameAsJdk((ends, seen) -> {
            InputStream in = near ? ends.in() : ends.farIn();
            OutputStream out = near ? ends.out() : ends.farOut();
            Socket socket = near ? ends.near() : ends.far();
            boolean ended = steps.chars().anyMatch(step -> (near ? "OiDcr" : "oIDcr").indexOf(step) >= 0);
            seen.line(steps + ", " + (near ? "near" : "far"));
            // With TCP_NODELAY off a short write waits for the late acknowledgement of the write before. One start tests
            // that, because it is slow.
            ends.near().setTcpNoDelay(!holdsBack);
            ends.far().setTcpNoDelay(!holdsBack);
            for (char step : steps.toCharArray()) {
                step(step, ends);
            }
            for (char what : look.toCharArray()) {
                switch (what) {
                    case 'a' -> seen.see("available", in::available);
                    case 'r' -> {
                        // A time-out only where the read would wait. Elsewhere a short one might end the read of a thread
                        // that gets no core in time.
                        if (!ended) {
                            socket.setSoTimeout(in.available() == 0 ? 1 : 0);
                        }
                        seen.see("read", () -> in.read(new byte[2]));
                    }
                    case 'w' -> seen.see("write", () -> out.write(new byte[3]));
                    default -> throw new AssertionError(what);
                }
            }
        });
    }

    @ParameterizedTest
    @MethodSource("starts")
    void eachWayToEndOneHalf(Start start) {
        each(start, "");
    }

    @ParameterizedTest
    @MethodSource("starts")
    void eachWayToClose(Start start) {
        each(start, "c");
    }

    @ParameterizedTest
    @MethodSource("starts")
    void eachWayToReset(Start start) {
        each(start, "r");
    }
}
