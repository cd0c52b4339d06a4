package jfs.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import jfs.JFSSocketImplFactory;
import jfs.stat.Reason;
import jfs.stat.Stats;

/** Whose sockets this JVM has: the system property {@code subject}. */
public enum Subject {

    /** The JDK's own: the oracle. */
    JDK,
    /** JFS without a fast transport. */
    TCP,
    /** JFS over shared memory. */
    SCI,
    /** JFS over MX, by rules that have it take this host for another one. */
    MX,
    /** JFS where it has nothing but Java: no native library, so TCP over channels. */
    NIO,
    /** JFS over shared memory beside channels. */
    NIO_SCI;

    private static final Subject CURRENT = install();

    /** Whose sockets they are; from here on {@code new Socket()} makes one of them. */
    public static Subject current() {
        return CURRENT;
    }

    private static Subject install() {
        Subject subject = valueOf(System.getProperty("subject", "jdk").toUpperCase(Locale.ROOT));
        if (subject == MX) {
            System.setProperty("jfs.hosts.ports", FreePorts.range());
        }
        if (subject != JDK) {
            JFSSocketImplFactory.install();
            String unavailable = JFSSocketImplFactory.unavailable();
            assertEquals(subject != NIO, unavailable == null, unavailable);
        }
        if (subject == MX) {
            beFound();
        }
        return subject;
    }

    /** By other hosts: a process is from its first listener on, and a client would remember that there was nobody. */
    private static void beFound() {
        try (ServerSocket listener = new ServerSocket(0)) {
            assertTrue(listener.isBound());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Whether connections of this subject leave TCP. */
    boolean switches() {
        return this == SCI || this == MX || this == NIO_SCI;
    }

    /** Whether their bytes are in memory that both ends have mapped. */
    public boolean sharesMemory() {
        return switches() && this != MX;
    }

    /** JFS's counters, to be compared with later ones. */
    record Counters(long attached, long switchedOut, long switchedIn, Map<Reason, Long> fallbacks) {

        static Counters now() {
            return new Counters(Stats.ATTACHED.sum(), Stats.SWITCHED_OUT.sum(), Stats.SWITCHED_IN.sum(),
                    Stats.fallbacks());
        }

        Counters since(Counters earlier) {
            Map<Reason, Long> since = new EnumMap<>(Reason.class);
            fallbacks.forEach((reason, count) -> {
                long more = count - earlier.fallbacks.getOrDefault(reason, 0L);
                if (more > 0) {
                    since.put(reason, more);
                }
            });
            return new Counters(attached - earlier.attached, switchedOut - earlier.switchedOut,
                    switchedIn - earlier.switchedIn, since);
        }
    }

    /** Why none of this subject's connections leaves TCP; null where some do, and where nobody counts. */
    Reason reason() {
        return switch (this) {
            case TCP -> Reason.TRANSPORT_OFF;
            case NIO -> Reason.UNAVAILABLE;
            case JDK, SCI, MX, NIO_SCI -> null;
        };
    }

    /** Why a client's connection to a server that has the JDK's sockets stays on TCP. */
    Reason reasonOfPlainPeers() {
        return this == MX ? Reason.TRANSLATED : reason() == null ? Reason.NO_PEER : reason();
    }
}
