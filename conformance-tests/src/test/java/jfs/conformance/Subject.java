package jfs.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Locale;
import jfs.JFSSocketImplFactory;
import jfs.stat.Stats;

/** Whose sockets this JVM has: the system property {@code subject}. */
enum Subject {

    /** The JDK's own: the oracle. */
    JDK,
    /** JFS without a fast transport. */
    TCP,
    /** JFS over shared memory. */
    SCI,
    /** JFS where it has nothing but Java: no native library, so TCP over channels. */
    NIO,
    /** JFS over shared memory beside channels. */
    NIO_SCI;

    private static final Subject CURRENT = install();

    /** Whose sockets they are; from here on {@code new Socket()} makes one of them. */
    static Subject current() {
        return CURRENT;
    }

    private static Subject install() {
        Subject subject = valueOf(System.getProperty("subject", "jdk").toUpperCase(Locale.ROOT));
        if (subject != JDK) {
            JFSSocketImplFactory.install();
            String unavailable = JFSSocketImplFactory.unavailable();
            assertEquals(subject != NIO, unavailable == null, unavailable);
        }
        return subject;
    }

    /** Whether connections of this subject leave TCP. */
    boolean switches() {
        return this == SCI || this == NIO_SCI;
    }

    /** JFS's counters, to be compared with later ones. */
    record Counters(long attached, long switchedOut, long switchedIn) {

        static Counters now() {
            return new Counters(Stats.ATTACHED.sum(), Stats.SWITCHED_OUT.sum(), Stats.SWITCHED_IN.sum());
        }

        Counters since(Counters earlier) {
            return new Counters(attached - earlier.attached, switchedOut - earlier.switchedOut,
                    switchedIn - earlier.switchedIn);
        }
    }

    /** What both ends of one connection add to the counters when they have switched; nothing where nobody does. */
    Counters switched() {
        return switches() ? new Counters(2, 2, 2) : new Counters(0, 0, 0);
    }
}
