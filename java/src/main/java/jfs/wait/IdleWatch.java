package jfs.wait;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Looks every two seconds at the connections that are in use, so that they give back memory that they don't need. The watch
 * works on the event loop's thread, and only while there are connections in use. A connection that was not used between two
 * looks is forgotten until it is used again. Connections are held weakly.
 *
 * <p>{@link #add} may be called from any thread and doesn't block.
 */
public final class IdleWatch {

    private static final long LOOK_MILLIS = TimeUnit.SECONDS.toMillis(2);

    /** A connection that is watched. */
    public interface Watched {

        /** A count that changes with every use. It is read without any memory order. */
        long uses();

        /**
         * Gives back memory that the connection doesn't need. Called on the event loop's thread. Must not block.
         *
         * @param idle whether the connection was not used since the last look
         * @return false if nothing could be done because a thread was using the connection
         */
        boolean trim(boolean idle);
    }

    private static final class Entry {
        private final WeakReference<Watched> watched;
        private long seen;

        Entry(Watched watched) {
            this.watched = new WeakReference<>(watched);
            seen = watched.uses();
        }

        /** @return whether the connection needs no further look */
        boolean look() {
            Watched it = watched.get();
            if (it == null) {
                return true;
            }
            try {
                long now = it.uses();
                boolean idle = now == seen;
                seen = now;
                return it.trim(idle) && idle;
            } catch (RuntimeException e) { // a failure of one connection must not affect the others
                return true;
            }
        }
    }

    private final EventLoop loop;
    private List<Entry> entries = new ArrayList<>(); // guarded by this

    public IdleWatch(EventLoop loop) {
        this.loop = loop;
    }

    /** Watches the connection from now on, until a look finds it idle. */
    public void add(Watched watched) {
        boolean first;
        synchronized (this) {
            first = entries.isEmpty();
            entries.add(new Entry(watched));
        }
        if (first) {
            loop.execute(new Runnable() {
                @Override
                public void run() {
                    lookLater();
                }
            });
        }
    }

    private void lookLater() {
        loop.after(LOOK_MILLIS, new Runnable() {
            @Override
            public void run() {
                look();
            }
        });
    }

    private void look() {
        List<Entry> these;
        synchronized (this) { // the monitor is not held during the looks, because trimming takes system calls
            these = entries;
            entries = new ArrayList<>();
        }
        List<Entry> further = new ArrayList<>();
        for (Entry entry : these) {
            if (!entry.look()) {
                further.add(entry);
            }
        }
        boolean again;
        synchronized (this) {
            again = entries.isEmpty() && !further.isEmpty(); // otherwise an add() meanwhile has scheduled the next look
            entries.addAll(further);
        }
        if (again) {
            lookLater();
        }
    }
}
