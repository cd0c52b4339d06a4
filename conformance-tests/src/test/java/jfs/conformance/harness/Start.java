package jfs.conformance.harness;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The state of a connection when a behaviour is tested, the end from which it is tested, and the addresses.
 *
 * @param atClient whether it is tested from the client's end
 */
public record Start(Progress progress, boolean atClient, Family family) {

    public enum Progress {
        FRESH,
        /** The next bytes will make it switch. */
        ATTACHED,
        /** The near end sends on the fast path, and the far end not yet. */
        HALF_SWITCHED,
        SWITCHED,
        /** The far end has the JDK's own socket, and a conversation has shown that. */
        PLAIN_PEER
    }

    /** A test that is run for each start that the subject knows; its parameter is the start. */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedTest
    @MethodSource("jfs.conformance.harness.Start#all")
    public @interface AtEach {
    }

    /** All starts of the subject. If the subject never switches, SWITCHED is a connection that has been used. */
    public static List<Start> all() {
        List<Start> all = new ArrayList<>();
        for (boolean atClient : new boolean[] {true, false}) {
            all.add(new Start(Progress.FRESH, atClient, Family.IPV4));
            if (Subject.current().switches()) {
                all.add(new Start(Progress.ATTACHED, atClient, Family.IPV4));
                all.add(new Start(Progress.HALF_SWITCHED, atClient, Family.IPV4));
            }
            if (Subject.current() != Subject.JDK) {
                all.add(new Start(Progress.PLAIN_PEER, atClient, Family.IPV4));
            }
            for (Family family : Family.available()) {
                all.add(new Start(Progress.SWITCHED, atClient, family));
            }
        }
        return all;
    }

    /** The starts for tests that take long and don't depend on addresses. */
    public static List<Start> overIPv4() {
        return all().stream().filter(start -> start.family == Family.IPV4).toList();
    }

    /** A connection seen from one of its ends. */
    public record Ends(Pair pair, Socket near, Socket far) implements AutoCloseable {

        public InputStream in() throws IOException {
            return near.getInputStream();
        }

        public OutputStream out() throws IOException {
            return near.getOutputStream();
        }

        public InputStream farIn() throws IOException {
            return far.getInputStream();
        }

        public OutputStream farOut() throws IOException {
            return far.getOutputStream();
        }

        @Override
        public void close() throws Exception {
            pair.close();
        }
    }

    public Ends open() throws Exception {
        return open(progress != Progress.PLAIN_PEER ? Side.current() : atClient ? Side.CLIENT : Side.SERVER);
    }

    private Ends open(Side side) throws Exception {
        Pair pair = side.call(() -> Pair.fresh(family));
        switch (progress) {
            case FRESH -> { }
            case ATTACHED -> pair.attach();
            case HALF_SWITCHED -> halfSwitch(pair, end(pair, atClient), end(pair, !atClient), side);
            case SWITCHED, PLAIN_PEER -> pair.converse();
            default -> throw new AssertionError(progress);
        }
        return new Ends(pair, end(pair, atClient), end(pair, !atClient));
    }

    /**
     * A client writes twice before an answer. With the JDK's sockets at both ends the second write would wait 40 ms for a late
     * acknowledgement, so they have TCP_NODELAY meanwhile.
     */
    private static void halfSwitch(Pair pair, Socket near, Socket far, Side side) throws Exception {
        if (side == Side.NONE) {
            near.setTcpNoDelay(true);
        }
        pair.switchFrom(near, far);
        if (side == Side.NONE) {
            near.setTcpNoDelay(false);
        }
    }

    private static Socket end(Pair pair, boolean client) {
        return client ? pair.client : pair.server;
    }

    /** What a program does with a connection, and what it sees of it. */
    public interface Program {
        void run(Ends ends, Transcript seen) throws Exception;
    }

    /** Runs the program with the JDK's sockets and with the subject's, and compares what it sees. */
    public void sameAsJdk(Program program) throws Exception {
        String expected;
        try (Ends ends = Side.NONE.call(() -> open(Side.NONE))) {
            expected = run(program, ends);
        }
        try (Ends ends = open()) {
            Transcript.assertSame(expected, run(program, ends));
        }
    }

    private static String run(Program program, Ends ends) throws Exception {
        Transcript seen = new Transcript().port("near", ends.near.getLocalPort()).port("far", ends.near.getPort());
        program.run(ends, seen);
        return seen.toString();
    }

    @Override
    public String toString() {
        return (progress + (atClient ? " client" : " server")).replace('_', ' ').toLowerCase(Locale.ROOT)
                + (family == Family.IPV4 ? "" : ", " + family);
    }
}
