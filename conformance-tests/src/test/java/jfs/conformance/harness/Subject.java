package jfs.conformance.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.channels.spi.SelectorProvider;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import jfs.JFSSocketImplFactory;
import jfs.stat.Reason;
import jfs.stat.Stats;
import jfs.testing.FreePorts;

/** Which sockets this JVM uses: the system property {@code subject}. */
public enum Subject {

    /** The JDK's own sockets: the expected behaviour. */
    JDK,
    /** JFS without a fast transport. */
    TCP,
    /** JFS over shared memory. */
    SCI,
    /** JFS over MX. Rules make it take this host for another one. */
    MX,
    /** JFS without a native library, so TCP over channels. */
    NIO,
    /** JFS over shared memory beside channels. */
    NIO_SCI,
    /** JFS over a transport that does not come with it. */
    FILE;

    private static final Subject CURRENT = install();

    /** The subject of this JVM. From the first call on {@code new Socket()} makes one of its sockets. */
    public static Subject current() {
        return CURRENT;
    }

    private static Subject install() {
        Subject subject = valueOf(System.getProperty("subject", "jdk").toUpperCase(Locale.ROOT));
        if (subject == MX) {
            System.setProperty("jfs.hosts.ports", FreePorts.range());
        }
        if (subject != JDK) {
            if (EndKind.withChannels()) {
                System.setProperty("jfs.nio", "on");
            }
            JFSSocketImplFactory.install();
            String unavailable = JFSSocketImplFactory.unavailable();
            assertEquals(subject != NIO, unavailable == null, unavailable);
            if (EndKind.withChannels()) {
                assertNull(Stats.channelsUnavailable(), "the subject has no channels of JFS's");
                assertEquals("sun.nio.ch.JfsProvider", SelectorProvider.provider().getClass().getName());
            }
        }
        if (subject == MX) {
            beFound();
        }
        return subject;
    }

    /**
     * Opens a listener, so that other hosts can find this process. A process can be found from its first listener on, and a
     * client that came earlier would remember that no JFS process is there.
     */
    private static void beFound() {
        try (ServerSocket listener = new ServerSocket(0)) {
            assertTrue(listener.isBound());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Whether connections of this subject leave TCP. */
    public boolean switches() {
        return this == SCI || this == MX || this == NIO_SCI || this == FILE;
    }

    /** Whether the bytes of its connections are in memory that both ends have mapped. */
    public boolean sharesMemory() {
        return switches() && this != MX;
    }

    /** A copy of JFS's counters, to be compared with a later one. */
    public record Counters(long attached, long switchedOut, long switchedIn, Map<Reason, Long> fallbacks) {

        public static Counters now() {
            return new Counters(Stats.ATTACHED.sum(), Stats.SWITCHED_OUT.sum(), Stats.SWITCHED_IN.sum(),
                    Stats.fallbacks());
        }

        public Counters since(Counters earlier) {
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

    /** Why none of this subject's connections leaves TCP. Null if some do, and for the JDK, which does not count. */
    Reason reason() {
        return switch (this) {
            case TCP -> Reason.TRANSPORT_OFF;
            case NIO -> Reason.UNAVAILABLE;
            default -> null;
        };
    }

    /** Why a client's connection to a server with the JDK's sockets stays on TCP. */
    Reason reasonOfPlainPeers() {
        return this == MX ? Reason.TRANSLATED : reason() == null ? Reason.NO_PEER : reason();
    }
}
