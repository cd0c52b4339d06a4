package jfs.wait;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Notices connections that have gone idle, so that they give back what they don't need meanwhile. Works on the event
 * loop's thread, and only while there are connections in use: one that has been trimmed is forgotten until it is used
 * again. Connections are held weakly.
 *
 * <p>{@link #add} may be called from any thread and doesn't block.
 */
public final class IdleWatch {

    /** What moved no byte from one look to the next is idle, so this is the least time that it takes; twice, the most. */
    private static final long LOOK_MILLIS = TimeUnit.SECONDS.toMillis(2);

    /** Something that is used now and then. */
    public interface Watched {

        /** A count that changes with every use; read without order. */
        long uses();

        /**
         * Gives back what an idle one doesn't need. On the event loop's thread, must not block.
         *
         * @return false if it is in use: then it will be asked again
         */
        boolean trim();
    }

    private static final class Entry {
        private final WeakReference<Watched> watched;
        private long seen;

        Entry(Watched watched) {
            this.watched = new WeakReference<>(watched);
            seen = watched.uses();
        }

        /** @return whether nothing is left to do */
        boolean look() {
            Watched it = watched.get();
            if (it == null) {
                return true;
            }
            try {
                long now = it.uses();
                if (now == seen) {
                    return it.trim();
                }
                seen = now;
                return false;
            } catch (RuntimeException e) { // must not keep the others from being looked at
                return true;
            }
        }
    }

    private final EventLoop loop;
    private List<Entry> entries = new ArrayList<>(); // guarded by this

    public IdleWatch(EventLoop loop) {
        this.loop = loop;
    }

    /** From now on it is looked at, until it has been trimmed. */
    public void add(Watched watched) {
        boolean first;
        synchronized (this) {
            first = entries.isEmpty();
            entries.add(new Entry(watched));
        }
        if (first) {
            loop.execute(this::lookLater);
        }
    }

    private void lookLater() {
        loop.after(LOOK_MILLIS, this::look);
    }

    private void look() {
        List<Entry> these;
        synchronized (this) { // not held during the looks: trimming takes system calls
            these = entries;
            entries = new ArrayList<>();
        }
        these.removeIf(Entry::look);
        boolean again;
        synchronized (this) {
            again = entries.isEmpty() && !these.isEmpty(); // else an add meanwhile has seen to it
            entries.addAll(these);
        }
        if (again) {
            lookLater();
        }
    }
}
