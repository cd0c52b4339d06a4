package jfs.conformance.soak;

import java.util.ArrayDeque;
import java.util.Deque;

/** The latest that one end of a connection did, to understand a failure by. For any threads. */
final class History {

    private static final int EVENTS_MAX = 16;

    /** @param nanos a {@link System#nanoTime}, which all processes of a host have in common */
    private record Event(long nanos, String what, long number) {
    }

    private volatile String title;
    private final Deque<Event> events = new ArrayDeque<>();
    private volatile long latest = System.nanoTime();

    /** @param title which end of which connection it is */
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

    /** How long nothing has been added. */
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
