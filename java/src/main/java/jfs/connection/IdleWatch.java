package jfs.connection;

import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import jfs.threads.EventLoop;

/**
 * Looks every two seconds at the connections that are in use, so that they give back memory that they don't need. The watch
 * works on the event loop's thread, and only while there are connections in use. A connection that was not used between two
 * looks is forgotten until it is used again. Connections are held weakly.
 *
 * <p>Memory that runs out delays the looks, and does not end them: the list of entries is kept without allocation. If the next look
 * can't be scheduled, the next {@link #add} of any connection schedules it.
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

    /** Runs tasks on one thread, as {@link EventLoop} does. */
    interface Scheduler {
        /** Called from any thread. */
        void execute(Runnable task);

        /** Called on that thread. */
        void after(long millis, Runnable task);
    }

    private static final class Entry {
        private final WeakReference<Watched> watched;
        private long seen;
        /** The list's next entry. */
        private Entry next;

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
            } catch (RuntimeException | Error e) { // must not affect the other connections; the next look tries again
                return false;
            }
        }
    }

    private final Scheduler scheduler;
    /** Is run at each look. */
    private final Runnable atEachLook;
    private final Runnable begin = new Runnable() {
        @Override
        public void run() {
            schedule(look);
        }
    };
    private final Runnable look = new Runnable() {
        @Override
        public void run() {
            look();
        }
    };
    /** The first entry of the list, or null. Guarded by this. */
    private Entry first;
    /** Whether a look is scheduled or at work. Guarded by this. */
    private boolean looking;

    /** @param atEachLook is run on the loop's thread after each look at the connections. It must not block */
    public IdleWatch(EventLoop loop, Runnable atEachLook) {
        this(new Scheduler() {
            @Override
            public void execute(Runnable task) {
                loop.execute(task);
            }

            @Override
            public void after(long millis, Runnable task) {
                loop.after(millis, task);
            }
        }, atEachLook);
    }

    IdleWatch(Scheduler scheduler, Runnable atEachLook) {
        this.scheduler = scheduler;
        this.atEachLook = atEachLook;
    }

    /**
     * Watches the connection from now on, until a look finds it idle. Called from any thread. Doesn't block.
     *
     * @throws OutOfMemoryError if there is no memory for that now; then the connection is not watched
     */
    public void add(Watched watched) {
        Entry entry = new Entry(watched);
        synchronized (this) {
            entry.next = first;
            first = entry;
            if (looking) {
                return;
            }
            looking = true;
        }
        schedule(begin);
    }

    /** @param task {@link #begin}, from any thread; or {@link #look}, on the scheduler's thread */
    private void schedule(Runnable task) {
        boolean scheduled = false;
        try {
            if (task == begin) {
                scheduler.execute(task);
            } else {
                scheduler.after(LOOK_MILLIS, task);
            }
            scheduled = true;
        } catch (OutOfMemoryError e) {
            // The next add() tries again.
        } finally {
            if (!scheduled) {
                synchronized (this) {
                    looking = false;
                }
            }
        }
    }

    private void look() {
        Entry entry;
        synchronized (this) { // the monitor is not held during the looks, because trimming takes system calls
            entry = first;
            first = null;
        }
        while (entry != null) {
            Entry next = entry.next;
            if (!entry.look()) {
                synchronized (this) {
                    entry.next = first;
                    first = entry;
                }
            }
            entry = next;
        }
        try {
            atEachLook.run();
        } catch (RuntimeException | Error e) { // must not end the watch
            // The next look runs it again.
        }
        synchronized (this) {
            looking = first != null;
            if (!looking) {
                return;
            }
        }
        schedule(look);
    }
}
