package jfs.stat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import jfs.config.Settings;
import jfs.monitor.ConnectionTable;
import jfs.monitor.Observers;
import jfs.procfs.OutOfReach;
import jfs.threads.ServiceThreads;

/**
 * The counters of this process, and its log. The command {@code status} shows them too. Counters only grow, except those of the reasons.
 * Each connection that is not fast is counted at one reason, and that count is taken back when the reason passes. Any thread may read the
 * counters at any time. A connection is passed as any object whose text names it. It is asked for the text only when a line is written.
 *
 * <p>Log lines go to stderr, each as {@code jfs: event details}. The setting {@code jfs.log} says which lines are written.
 */
public final class Stats {

    /** Ends of connections that this process has had. */
    public static final LongAdder CONNECTIONS = Counter.ofProcess(0);
    /** Connections whose end in this process got a fast path. Those with the reason PATH_FAILED have never used it. */
    public static final LongAdder ATTACHED = Counter.ofProcess(1);
    /** Directions switched: this end's sending, this end's receiving. */
    public static final LongAdder SWITCHED_OUT = Counter.ofProcess(2);
    public static final LongAdder SWITCHED_IN = Counter.ofProcess(3);
    /** Offers that this process has made, and offers that it has answered by joining. */
    public static final LongAdder OFFERS = Counter.ofProcess(4);
    public static final LongAdder JOINED = Counter.ofProcess(5);
    /** How often a connection was handed to the negotiation once more, after a reason that could pass. */
    public static final LongAdder RETRIES = Counter.ofProcess(6);
    /**
     * How often JFS could not do its part for a TCP channel of its provider (jfs.nio), for want of memory for example. The connection of
     * such a channel, or those that it accepts, are plain, and among those that JFS can't reach. All others are in {@link #CONNECTIONS}.
     */
    public static final LongAdder PLAIN_CHANNELS = Counter.ofProcess(7);

    private static final Reason[] REASONS = Reason.values();
    private static final Counter[] FALLBACKS = new Counter[REASONS.length];

    static {
        for (Reason reason : REASONS) {
            FALLBACKS[reason.ordinal()] = Counter.ofReason(reason.ordinal(), reason.name());
        }
    }

    private static volatile Settings.Log log = Settings.Log.OFF;

    private Stats() {
    }

    /** Sets the level. Called once, if anything is to be logged. A summary is written when the JVM ends. */
    public static void log(Settings.Log level) {
        log = level;
        ServiceThreads.atShutdown("jfs-summary", new Runnable() {
            @Override
            public void run() {
                line(summary());
            }
        });
    }

    /** Connections that got a fast path and have not stayed on TCP after all. */
    public static long fast() {
        return Math.max(0, ATTACHED.sum() - fallbacks(Reason.PATH_FAILED));
    }

    /**
     * How many established TCP connections this process has now that JFS can't reach: those of SocketChannels (Netty,
     * {@code java.net.http}) that are not of JFS's provider, of asynchronous channels, of native libraries, of sockets made before JFS was
     * installed. This is a gauge, not a counter: it is read from the kernel and does not include connections that were closed before. The
     * time for it grows with the kernel's list of sockets.
     *
     * @return -1 if that can't be known: the system is not Linux, JFS works over channels without its native library, or JFS is not used
     */
    public static int outOfReach() {
        OutOfReach look = OutOfReach.look();
        return look == null ? -1 : look.connections();
    }

    /** All connections so far, in one line. */
    public static String summary() {
        long fast = fast();
        Map<Reason, Long> slow = fallbacks();
        long overTcp = slow.values().stream().mapToLong(Long::longValue).sum();
        long undecided = Math.max(0, CONNECTIONS.sum() - fast - overTcp);
        StringBuilder line = new StringBuilder().append(fast + overTcp + undecided).append(" connections: ")
                .append(fast).append(" fast, ").append(overTcp + undecided).append(" over TCP");
        List<String> reasons = new ArrayList<>();
        slow.forEach((reason, count) -> reasons.add(reason + " " + count));
        if (undecided > 0) {
            reasons.add("undecided " + undecided);
        }
        if (!reasons.isEmpty()) {
            line.append(" (").append(String.join(", ", reasons)).append(')');
        }
        if (RETRIES.sum() > 0) {
            line.append("; ").append(RETRIES.sum()).append(" tried again");
        }
        OutOfReach look = OutOfReach.look();
        int others = outOfReach();
        if (others > 0) {
            line.append("; ").append(others).append(" open now that JFS can't reach (")
                    .append(ChannelProvider.isInstalled() ? "AsynchronousSocketChannel, native libraries" : "SocketChannel, Netty")
                    .append(" and the like)");
        } else if (look != null && look.channelsWereUsed()) {
            line.append("; SocketChannels were used, which JFS can't reach, and have none open now");
        }
        if (look != null) {
            for (String other : look.others()) {
                line.append("; ").append(other);
            }
        }
        return line.toString();
    }

    /** A connection has begun at this end. Counts it. @param row its row in the table of connections, as in the methods below */
    public static void began(int row) {
        CONNECTIONS.increment();
        if (ConnectionTable.isObserved()) {
            Observers.began(row);
        }
    }

    /** Counts and logs a connection that stays on TCP. */
    public static void fallback(Reason reason, Object connection, int row, String detail) {
        Counter count = FALLBACKS[reason.ordinal()];
        boolean first = count.sum() == 0 && reason != Reason.UNAVAILABLE; // whose line unavailable() has written
        count.increment();
        if (log == Settings.Log.ALL || log == Settings.Log.FALLBACK && first) {
            line("fallback " + connection + " " + reason + ": " + (detail != null ? detail : reason.text()));
        }
        if (ConnectionTable.isObserved()) {
            Observers.fellBack(row, reason.name(), detail != null ? detail : reason.text());
        }
    }

    /** A connection is not on TCP for this reason any more: it gets a fast path, or has another reason. */
    public static void passed(Reason reason, Object connection) {
        Counter count = FALLBACKS[reason.ordinal()];
        count.decrement();
        if (log == Settings.Log.ALL || log == Settings.Log.FALLBACK && count.sum() == 0) {
            line("passed " + connection + " " + reason);
        }
    }

    /** How many connections are, or stayed, on TCP for this reason. */
    public static long fallbacks(Reason reason) {
        return FALLBACKS[reason.ordinal()].sum();
    }

    /** All reasons that have occurred. */
    public static Map<Reason, Long> fallbacks() {
        Map<Reason, Long> counts = new EnumMap<>(Reason.class);
        for (Reason reason : REASONS) {
            if (fallbacks(reason) > 0) {
                counts.put(reason, fallbacks(reason));
            }
        }
        return Collections.unmodifiableMap(counts);
    }

    /** Logs that there will be no fast path in this process. */
    public static void unavailable(String reason) {
        if (log != Settings.Log.OFF) {
            line("no fast path in this process: " + reason);
        }
    }

    /**
     * Logs that a process asked for a fast path, and that this process did not answer, because the two may not share memory. Its connection
     * here has the reason NO_OFFER.
     */
    public static void refusedVisitor(String why) {
        if (log != Settings.Log.OFF) {
            line("an offer was refused, perhaps not the only one: " + why);
        }
    }

    /** Logs which of the program's system properties JFS has set or left, so that Netty makes channels of JFS's provider. */
    public static void nettyOnNio(String properties) {
        if (log != Settings.Log.OFF) {
            line("Netty is to use SocketChannel (jfs.netty=nio): " + properties);
        }
    }

    /** Logs why a channel of JFS's provider, or what it accepts, is plain. */
    public static void channelIsPlain(String why) {
        if (log != Settings.Log.OFF) {
            line("a channel gets no fast path, perhaps not the only one: " + why);
        }
    }

    /** Notes and logs why the program's channels and selectors are not JFS's though {@code jfs.nio} is on. Called once at most. */
    public static void channelsUnavailable(String reason) {
        ChannelProvider.unavailable(reason);
        if (log != Settings.Log.OFF) {
            line("no fast path for channels in this process: " + reason);
        }
    }

    /**
     * Why the program's channels and selectors are not JFS's, in one line. That JFS's provider was not installed so far is a reason too.
     *
     * @return null if they are, or if {@code jfs.nio} is off
     */
    public static String channelsUnavailable() {
        return ChannelProvider.unavailable();
    }

    public static void attached(String transport, Object connection) {
        ATTACHED.increment();
        if (log == Settings.Log.ALL) {
            line("attached " + connection + " over " + transport);
        }
    }

    public static void switchedOut(String transport, Object connection, int row, long count) {
        SWITCHED_OUT.increment();
        switched("switched out", false, count, transport, connection, row);
    }

    public static void switchedIn(String transport, Object connection, int row, long count) {
        SWITCHED_IN.increment();
        switched("switched in", true, count, transport, connection, row);
    }

    private static void switched(String what, boolean in, long count, String transport, Object connection, int row) {
        if (log == Settings.Log.ALL) {
            line(what + " after " + count + " bytes " + connection + " over " + transport);
        }
        if (ConnectionTable.isObserved()) {
            Observers.switched(row, in, transport, count);
        }
    }

    /** The peer process of a fast connection has gone without a word. @param in whether the reader has found that; else the writer */
    public static void peerDied(int row, boolean in) {
        if (ConnectionTable.isObserved()) {
            Observers.peerDied(row, in);
        }
    }

    /** The program may have replaced System.err by a stream that throws. That must not make a connection fail. */
    private static void line(String text) {
        try {
            System.err.println("jfs: " + text);
        } catch (RuntimeException e) {
            // The line is lost.
        }
    }
}
