package jfs.negotiation.handshake.remote;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jfs.threads.EventLoop;
import jfs.threads.ServiceThreads;

/**
 * Threads for work that a peer process can make slow, such as connecting to its endpoint. The event loop's thread goes on with other work
 * meanwhile. Each party has one task at a time, and all parties together have {@value #THREADS} threads. The threads end when there is
 * nothing to do.
 *
 * <p>Only the event loop's thread calls the methods.
 */
final class BlockingTasks {

    private static final int THREADS = 4;
    private static final long IDLE_SECONDS = 1;
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final EventLoop loop;
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(), work -> ServiceThreads.create("jfs-helper", work));
    /** The parties that have a task under way, and the tasks that wait for it. */
    private final Map<Object, Deque<Runnable>> parties = new HashMap<>();

    BlockingTasks(EventLoop loop) {
        this.loop = loop;
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Runs the work when the party's earlier work is done.
     *
     * @param then runs afterwards in any case, on the event loop's thread
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
        } catch (OutOfMemoryError | RejectedExecutionException e) { // there is no thread for it: the event loop's thread does the work
            EventLoop.guarded(work);
            over.run();
        }
    }

    private void next(Object party) {
        Runnable turn = parties.get(party).poll();
        if (turn == null) {
            parties.remove(party);
        } else {
            loop.execute(turn); // not from here: the tasks that wait would run nested in each other
        }
    }

    /** Hands a task to the event loop. It tries until it succeeds, because other tasks of the party wait for this one. */
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
