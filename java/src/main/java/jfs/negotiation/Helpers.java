package jfs.negotiation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jfs.wait.EventLoop;
import jfs.wait.ServiceThreads;

/**
 * Threads for what a peer can make slow, as connecting to its endpoint, so that the event loop's goes on with the others:
 * one thing at a time for each party, {@value #THREADS} for all of them. They end when there is nothing to do. On the event
 * loop's thread, but for the work itself.
 */
final class Helpers {

    private static final int THREADS = 4;
    private static final long IDLE_SECONDS = 1;
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final EventLoop loop;
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(), work -> ServiceThreads.create("jfs-helper", work));
    /** What each party's work that is under way is followed by. */
    private final Map<Object, Deque<Runnable>> parties = new HashMap<>();

    Helpers(EventLoop loop) {
        this.loop = loop;
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Does the work when it is that party's turn.
     *
     * @param then comes after it in any case, on the event loop's thread
     */
    void run(Object party, Runnable work, Runnable then) {
        Deque<Runnable> others = parties.get(party);
        Runnable turn = () -> begin(party, work, then);
        if (others != null) {
            others.add(turn);
        } else {
            parties.put(party, new ArrayDeque<>());
            turn.run();
        }
    }

    private void begin(Object party, Runnable work, Runnable then) {
        Runnable over = () -> {
            try {
                then.run();
            } finally {
                next(party);
            }
        };
        try {
            threads.execute(() -> {
                EventLoop.guarded(work);
                tell(over);
            });
        } catch (OutOfMemoryError | RejectedExecutionException e) { // no thread is to be had: then everybody waits for it
            EventLoop.guarded(work);
            over.run();
        }
    }

    private void next(Object party) {
        Runnable turn = parties.get(party).poll();
        if (turn == null) {
            parties.remove(party);
        } else {
            loop.execute(turn); // not from here, or all who wait would end inside each other
        }
    }

    /** Others wait for this. */
    private void tell(Runnable over) {
        for (;;) {
            try {
                loop.execute(over);
                return;
            } catch (OutOfMemoryError e) {
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }
}
