package jfs.conformance.soak;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/** What one process has recorded: the histories of its connections, counts, and problems. Any thread may use it. */
final class Book {

    private static final int ENDED_MAX = 10_000;

    final LongAdder ended = new LongAdder();
    final LongAdder read = new LongAdder();
    final LongAdder written = new LongAdder();
    final LongAdder timeouts = new LongAdder();

    private final Map<String, History> live = new ConcurrentHashMap<>();
    /** The histories of the latest connections that have ended. Guarded by itself. */
    private final Map<String, History> past = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, History> eldest) {
            return size() > ENDED_MAX;
        }
    };
    private final ConcurrentLinkedQueue<Problem> problems = new ConcurrentLinkedQueue<>();

    /**
     * Something that should not have happened.
     *
     * @param id of the connection
     * @param peer the number of the process at the connection's other end, whose death would be an excuse; {@link #NOBODY}
     *     if there is none, {@link #UNKNOWN} if that end has not sent its number
     */
    record Problem(String id, int peer, String what) {
        static final int NOBODY = -1;
        static final int UNKNOWN = -2;

        private static final String BETWEEN = "\t";

        String encoded() {
            return String.join(BETWEEN, id, String.valueOf(peer), what.replaceAll("\\s+", " "));
        }

        static Problem decoded(String text) {
            String[] parts = text.split(BETWEEN, 3);
            return new Problem(parts[0], Integer.parseInt(parts[1]), parts[2]);
        }
    }

    /** A connection begins. */
    History begin(String id, String title) {
        History history = new History(title);
        live.put(id, history);
        return history;
    }

    /** Renames a connection when the other end has said which one it is. */
    void rename(String id, String newId, String newTitle) {
        History history = live.remove(id);
        history.rename(newTitle);
        live.put(newId, history);
    }

    void end(String id) {
        ended.increment();
        History history = live.remove(id);
        synchronized (past) {
            past.put(id, history);
        }
    }

    void problem(Problem it) {
        problems.add(it);
    }

    /** All problems since the last call. */
    List<Problem> takeProblems() {
        List<Problem> taken = new ArrayList<>();
        for (Problem it = problems.poll(); it != null; it = problems.poll()) {
            taken.add(it);
        }
        return taken;
    }

    int open() {
        return live.size();
    }

    /** Connections whose ends have done nothing for this time. */
    List<String> silent(long nanos) {
        return live.entrySet().stream().filter(entry -> entry.getValue().silentNanos() > nanos).map(Map.Entry::getKey)
                .toList();
    }

    /** The history of a connection that is open or has ended lately. */
    String history(String id) {
        History found = live.get(id);
        if (found == null) {
            synchronized (past) {
                found = past.get(id);
            }
        }
        return found == null ? "nothing is known of " + id : found.toString();
    }

    /** Drops the histories of the past, because they take memory, which is measured. */
    void forget() {
        synchronized (past) {
            past.clear();
        }
    }
}
