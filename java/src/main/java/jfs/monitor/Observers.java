package jfs.monitor;

/**
 * Those who want to know what happens to connections: the flight recorder, where it was started, and one more, for the notifications of the
 * MXBean. The calls come from one place for all ({@code jfs.stat.Stats}). The caller asks {@link ConnectionTable#isObserved} first, which
 * loads this class and the classes of the events. They are not loaded in a process that nobody observes.
 *
 * <p>Nothing that an observer does, and no lack of memory for it, reaches the connection. Any thread may call the methods. They don't
 * block.
 */
public final class Observers {

    /** Null if this Java runtime has no flight recorder. */
    private static final Recorder RECORDER = recorder();

    private static volatile ConnectionObserver listener;

    private Observers() {
    }

    private static Recorder recorder() {
        try {
            Recorder made = new Recorder();
            made.prepare();
            return made;
        } catch (RuntimeException | Error e) { // the module jdk.jfr is not there, or the stack is used up, for example
            return null;
        }
    }

    /** Initializes this class. The rest is done before. */
    static void load() {
    }

    /** From now on this observer is told too. Replaces the one before. @param next null for none */
    public static void listen(ConnectionObserver next) {
        listener = next;
        if (next != null) {
            ConnectionTable.observe();
        }
    }

    /** @see ConnectionObserver#began */
    public static void began(int row) {
        try {
            if (RECORDER != null) {
                RECORDER.began(row);
            }
            ConnectionObserver other = listener;
            if (other != null) {
                other.began(row);
            }
        } catch (RuntimeException | Error e) {
            // Nobody is told. The connection goes on.
        }
    }

    /** @see ConnectionObserver#switched */
    public static void switched(int row, boolean in, String transport, long overTcp) {
        try {
            if (RECORDER != null) {
                RECORDER.switched(row, in, transport, overTcp);
            }
            ConnectionObserver other = listener;
            if (other != null) {
                other.switched(row, in, transport, overTcp);
            }
        } catch (RuntimeException | Error e) {
            // As above.
        }
    }

    /** @see ConnectionObserver#fellBack */
    public static void fellBack(int row, String reason, String text) {
        try {
            if (RECORDER != null) {
                RECORDER.fellBack(row, reason, text);
            }
            ConnectionObserver other = listener;
            if (other != null) {
                other.fellBack(row, reason, text);
            }
        } catch (RuntimeException | Error e) {
            // As above.
        }
    }

    /** @see ConnectionObserver#peerDied */
    public static void peerDied(int row, boolean in) {
        try {
            if (RECORDER != null) {
                RECORDER.peerDied(row, in);
            }
            ConnectionObserver other = listener;
            if (other != null) {
                other.peerDied(row, in);
            }
        } catch (RuntimeException | Error e) {
            // As above.
        }
    }

    /** A thread begins to sleep. Only the flight recorder is told. @return what {@link #slept} takes; null if nothing records sleeps */
    static Object sleeps() {
        try {
            return RECORDER == null ? null : RECORDER.sleeps();
        } catch (RuntimeException | Error e) {
            return null;
        }
    }

    /** The sleep has ended. @param begun what {@link #sleeps} has returned, not null */
    static void slept(Object begun, int row, boolean reader) {
        try {
            RECORDER.slept(begun, row, reader);
        } catch (RuntimeException | Error e) {
            // As above.
        }
    }
}
