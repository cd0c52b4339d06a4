package jfs.wait;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Looks at the connections that are in use every two seconds, so that they give back what they don't need. Works on the
 * event loop's thread, and only while there are connections in use: one that was not used between two looks is forgotten
 * until it is used again. Connections are held weakly.
 *
 * <p>{@link #add} may be called from any thread and doesn't block.
 */
public final class IdleWatch {

    private static final long LOOK_MILLIS = TimeUnit.SECONDS.toMillis(2);

    /** Something that is used now and then. */
    public interface Watched {

        /** A count that changes with every use; read without order. */
        long uses();

        /**
         * Gives back what it doesn't need. On the event loop's thread, must not block.
         *
         * @param idle whether it was not used since the last look
         * @return false if it could not be looked at, because a thread was using it
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

        /** @return whether it needs no further look */
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

    /** From now on it is looked at, until a look finds it idle. */
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
        synchronized (this) { // not held during the looks: trimming takes system calls
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
            again = entries.isEmpty() && !further.isEmpty(); // else an add meanwhile has seen to it
            entries.addAll(further);
        }
        if (again) {
            lookLater();
        }
    }
}
