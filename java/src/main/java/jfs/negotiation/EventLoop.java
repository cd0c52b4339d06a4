package jfs.negotiation;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import jfs.nativelib.Posix;

/**
 * The negotiation's one daemon thread: waits for descriptors, deadlines and tasks. Everything but {@link #execute} is
 * called on that thread only, so what it touches needs no locks.
 */
final class EventLoop {

    /** Told when its descriptor is ready. What it throws is reported and otherwise ignored. */
    interface Handler {
        void ready();
    }

    /** A task with a deadline; cancelled by {@link #cancel}. */
    static final class Timer {
        private final long at;
        private Runnable task;

        private Timer(long at, Runnable task) {
            this.at = at;
            this.task = task;
        }

        void cancel() {
            task = null;
        }
    }

    private final int epoll;
    private final int wakeUp;
    private final Map<Long, Handler> handlers = new HashMap<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>(Comparator.comparingLong(t -> t.at));
    private final Queue<Runnable> tasks = new ArrayDeque<>(); // guarded by itself
    private long nextTag = 1;

    EventLoop() {
        epoll = Posix.epollCreate();
        wakeUp = Posix.eventCreate();
        if (epoll < 0 || wakeUp < 0) {
            throw new IllegalStateException("epoll or eventfd: " + Posix.errorText(-Math.min(epoll, wakeUp)));
        }
        Posix.epollAdd(epoll, wakeUp, Posix.POLLIN, 0);
        Thread thread = new Thread(null, this::run, "jfs-negotiation", 256 << 10);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        thread.start();
    }

    /** Runs a task on the loop's thread, soon. From any thread; never blocks. */
    void execute(Runnable task) {
        boolean first;
        synchronized (tasks) {
            first = tasks.isEmpty();
            tasks.add(task);
        }
        if (first) {
            Posix.eventSignal(wakeUp);
        }
    }

    /**
     * Calls the handler whenever the descriptor is readable or hung up.
     *
     * @return what {@link #unwatch} wants
     */
    long watch(int fd, Handler handler) {
        long tag = nextTag++;
        int status = Posix.epollAdd(epoll, fd, Posix.POLLIN, tag);
        if (status < 0) {
            throw new IllegalStateException("epoll_ctl: " + Posix.errorText(-status));
        }
        handlers.put(tag, handler);
        return tag;
    }

    /** Stops watching; to be called before the descriptor is closed. */
    void unwatch(int fd, long tag) {
        if (handlers.remove(tag) != null) {
            Posix.epollRemove(epoll, fd);
        }
    }

    Timer after(long millis, Runnable task) {
        Timer timer = new Timer(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis), task);
        timers.add(timer);
        return timer;
    }

    private void run() {
        long[] ready = new long[128];
        for (;;) {
            int n = Posix.epollWait(epoll, ready, millisToNextTimer());
            for (int i = 0; i < n; i++) {
                if (ready[2 * i] == 0) {
                    Posix.eventClear(wakeUp);
                } else {
                    Handler handler = handlers.get(ready[2 * i]); // null: unwatched by an earlier one of this round
                    if (handler != null) {
                        guarded(handler::ready);
                    }
                }
            }
            runTasks();
            runTimers();
        }
    }

    private void runTasks() {
        for (;;) {
            Runnable task;
            synchronized (tasks) {
                task = tasks.poll();
            }
            if (task == null) {
                return;
            }
            guarded(task);
        }
    }

    private void runTimers() {
        for (Timer next = timers.peek(); next != null
                && (next.task == null || next.at - System.nanoTime() <= 0); next = timers.peek()) {
            timers.poll();
            if (next.task != null) {
                guarded(next.task);
            }
        }
    }

    private int millisToNextTimer() {
        Timer next = timers.peek();
        if (next == null) {
            return -1;
        }
        long nanos = next.at - System.nanoTime();
        return nanos <= 0 ? 0 : (int) Math.min(60_000, TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
    }

    /** One connection's trouble must not end the thread that all others need. */
    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
            if (handler != null) {
                handler.uncaughtException(Thread.currentThread(), e);
            } else {
                System.err.println("jfs: negotiation: " + e);
            }
        }
    }
}
