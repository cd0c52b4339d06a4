package jfs.conformance.soak;

import java.util.ArrayDeque;
import java.util.Deque;

/** The latest actions of one end of a connection, to explain a failure. Any thread may use it. */
final class History {

    private static final int EVENTS_MAX = 16;

    /** @param nanos a {@link System#nanoTime}, which is the same clock in all processes of a host */
    private record Event(long nanos, String what, long number) {
    }

    private volatile String title;
    private final Deque<Event> events = new ArrayDeque<>();
    private volatile long latest = System.nanoTime();

    /** @param title names the connection and the end */
    History(String title) {
        this.title = title;
    }

    void add(String what, long number) {
        long now = System.nanoTime();
        latest = now;
        synchronized (events) {
            if (events.size() == EVENTS_MAX) {
                events.removeFirst();
            }
            events.addLast(new Event(now, what, number));
        }
    }

    /** How long ago the last event was added. */
    long silentNanos() {
        return System.nanoTime() - latest;
    }

    void rename(String newTitle) {
        title = newTitle;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(title);
        synchronized (events) {
            events.forEach(event -> text.append(String.format("%n    %,d us: %s %,d", event.nanos / 1_000, event.what,
                    event.number)));
        }
        return text.toString();
    }
}
