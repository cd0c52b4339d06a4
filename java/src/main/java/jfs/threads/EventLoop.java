package jfs.threads;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import jfs.nativelib.Posix;

/**
 * A daemon thread that waits for descriptors, deadlines and tasks. Handlers, timers and tasks run on it, so what only
 * they use needs no locks. All methods but {@link #after} may be called from any thread. None of them blocks.
 */
public final class EventLoop {

    /** Handles the events of one descriptor, on the loop's thread. */
    public interface Handler {
        /** The descriptor is ready. */
        void ready(int events);

        /** The loop has {@linkplain #endingAtShutdown ended}: it does not watch the descriptor any more. */
        default void ended() {
        }
    }

    /** A task with a deadline. */
    public final class Timer implements Comparable<Timer> {
        private final long at;
        private Runnable task;

        private Timer(long at, Runnable task) {
            this.at = at;
            this.task = task;
        }

        @Override
        public int compareTo(Timer other) {
            return Long.compare(at, other.at);
        }

        /** Called on the loop's thread. Idempotent. Does nothing if the task has run. */
        public void cancel() {
            if (task != null) {
                task = null;
                cancelled++;
                forgetCancelled();
            }
        }
    }

    /** Fewer cancelled timers than this are kept until their time comes, however few other timers there are. */
    private static final int CANCELLED_MAX = 1024;

    private static final long MEMORY_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final int epoll;
    private final int wakeUp;
    private final Map<Long, Handler> handlers = new ConcurrentHashMap<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    /** How many of the timers are cancelled. A peer that connects and disconnects again and again may cause many. */
    private int cancelled;
    private final Queue<Runnable> tasks = new ArrayDeque<>(); // guarded by itself
    private volatile boolean ending;
    private final AtomicLong tags = new AtomicLong();

    /**
     * @param name of the loop's thread
     * @throws IllegalStateException if the system has no descriptors or no thread for it now; then nothing is left open
     */
    public EventLoop(String name) {
        epoll = Posix.epollCreate();
        wakeUp = Posix.eventCreate();
        boolean done = false;
        try {
            if (epoll < 0 || wakeUp < 0) {
                throw new IllegalStateException("epoll or eventfd: " + Posix.errorText(-Math.min(epoll, wakeUp)));
            }
            int status = Posix.epollAdd(epoll, wakeUp, Posix.POLLIN, 0);
            if (status < 0) { // without it the loop would never notice a task
                throw new IllegalStateException("epoll_ctl: " + Posix.errorText(-status));
            }
            ServiceThreads.create(name, new Runnable() {
                @Override
                public void run() {
                    EventLoop.this.run();
                }
            }).start();
            done = true;
        } catch (OutOfMemoryError | SecurityException e) { // no thread, or a security manager forbids it
            throw new IllegalStateException("thread " + name + ": " + e.getMessage(), e);
        } finally {
            if (!done) {
                closeIfOpen(epoll);
                closeIfOpen(wakeUp);
            }
        }
    }

    private static void closeIfOpen(int fd) {
        if (fd >= 0) {
            Posix.close(fd);
        }
    }

    /**
     * Makes the loop end when the JVM shuts down. The loop ignores what it is asked for afterwards. HotSpot waits at its exit up
     * to 300 ms for threads to leave native code. A thread that waits for the loop learns of its end by {@link Handler#ended} and {@link
     * #isEnding}.
     */
    public EventLoop endingAtShutdown() {
        if (!ServiceThreads.atShutdown("jfs-shutdown", new Runnable() {
            @Override
            public void run() {
                end();
            }
        })) {
            end();
        }
        return this;
    }

    /** The loop's own descriptor, an epoll. It is never closed. */
    public int descriptor() {
        return epoll;
    }

    /**
     * Whether the loop has ended, or will end soon. If not, the loop will tell every handler that it has now of its end ({@link
     * Handler#ended}).
     */
    public boolean isEnding() {
        return ending;
    }

    private void end() {
        ending = true;
        Posix.eventSignal(wakeUp);
    }

    /** Runs a task on the loop's thread, soon. From any thread; never blocks. */
    public void execute(Runnable task) {
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
     * Watches a descriptor: the loop calls the handler whenever one of the events, an error or a hang-up is present. With {@link
     * Posix#EPOLLONESHOT} it calls the handler only once.
     *
     * @return the tag for {@link #rewatch}, {@link #unwatch} and {@link #forget}
     * @throws IllegalStateException if the kernel refuses, with errno's text
     */
    public Long watch(int fd, int events, Handler handler) {
        Long tag = tags.incrementAndGet();
        handlers.put(tag, handler);
        int status = Posix.epollAdd(epoll, fd, events, tag);
        if (status < 0) {
            handlers.remove(tag);
            throw new IllegalStateException("epoll_ctl: " + Posix.errorText(-status));
        }
        return tag;
    }

    /**
     * Watches the same descriptor for these events from now on. The handler is told again of the events that are present now, also with
     * {@link Posix#EPOLLET}. One thread at a time calls this method for a descriptor.
     *
     * @throws IllegalStateException if the kernel refuses, with errno's text; then the descriptor is watched as before
     */
    public void rewatch(int fd, int events, long tag) {
        int status = Posix.epollModify(epoll, fd, events, tag);
        if (status < 0) {
            throw new IllegalStateException("epoll_ctl: " + Posix.errorText(-status));
        }
    }

    /** Stops watching. Called before the descriptor is closed. A call of the handler that has begun may still go on. */
    public void unwatch(int fd, long tag) {
        if (handlers.remove(tag) != null) {
            Posix.epollRemove(epoll, fd);
        }
    }

    /**
     * As {@link #unwatch}, for a descriptor that its last user has closed or is about to close. The kernel then stops watching by itself.
     * Allocates nothing.
     */
    public void forget(Long tag) {
        handlers.remove(tag);
    }

    public Timer after(long millis, Runnable task) {
        Timer timer = new Timer(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis), task);
        timers.add(timer);
        return timer;
    }

    private void run() {
        long[] ready = new long[128];
        while (!ending) {
            long before = System.nanoTime();
            int n = Posix.epollWait(epoll, ready, millisToNextWork());
            for (int i = 0; i < n; i++) {
                if (ready[2 * i] == 0) {
                    Posix.eventClear(wakeUp);
                } else {
                    tell(ready[2 * i], (int) ready[2 * i + 1]);
                }
            }
            runTasks();
            runTimers(before);
        }
        for (Handler handler : handlers.values()) {
            try {
                handler.ended();
            } catch (Throwable e) {
                report(e);
            }
        }
    }

    private void tell(long tag, int events) {
        try {
            Handler handler = handlerOf(tag); // null if an earlier handler of this round has unwatched it
            if (handler != null) {
                handler.ready(events);
            }
        } catch (Throwable e) {
            report(e);
        }
    }

    /**
     * The look-up boxes the tag, and may find no memory for that object. The kernel reports an edge only once. So the look-up is repeated
     * until it succeeds, and no edge is lost.
     */
    private Handler handlerOf(long tag) {
        for (;;) {
            try {
                return handlers.get(tag);
            } catch (OutOfMemoryError e) {
                LockSupport.parkNanos(MEMORY_PAUSE_NANOS);
            }
        }
    }

    /** Runs the tasks that are there now. Tasks that are added meanwhile, also by tasks, must not delay descriptors and timers. */
    private void runTasks() {
        int now;
        synchronized (tasks) {
            now = tasks.size();
        }
        for (; now > 0; now--) {
            Runnable next;
            synchronized (tasks) {
                next = tasks.remove();
            }
            guarded(next);
        }
    }

    /**
     * Runs the timers that were due before the loop looked at the descriptors. So a process that was stopped, or that had no processor,
     * finds what has come in time before a timer treats it as missing.
     */
    private void runTimers(long looked) {
        for (Timer next = timers.peek(); next != null && (next.task == null || next.at - looked <= 0);
                next = timers.peek()) {
            timers.poll();
            Runnable task = next.task;
            next.task = null;
            if (task != null) {
                guarded(task);
            } else {
                cancelled--;
            }
        }
    }

    private void forgetCancelled() {
        if (cancelled >= CANCELLED_MAX && cancelled > timers.size() / 2) {
            try {
                timers.removeIf(new Predicate<>() {
                    @Override
                    public boolean test(Timer timer) {
                        return timer.task == null;
                    }
                });
                cancelled = 0;
            } catch (OutOfMemoryError e) {
                // The next cancel tries again. This one goes on without.
            }
        }
    }

    private int millisToNextWork() {
        synchronized (tasks) {
            if (!tasks.isEmpty()) {
                return 0; // they were added behind other tasks, and so without a signal
            }
        }
        Timer next = timers.peek();
        if (next == null) {
            return -1;
        }
        long nanos = next.at - System.nanoTime();
        return nanos <= 0 ? 0 : (int) Math.min(60_000, TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
    }

    /**
     * Runs a task and reports what it throws. A failure of one connection must not end the thread that all other connections need. This
     * includes an OutOfMemoryError. So between tasks and handlers the loop allocates nothing but the boxed tag ({@link #handlerOf}).
     */
    public static void guarded(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            report(e);
        }
    }

    private static void report(Throwable trouble) {
        try {
            Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
            if (handler != null) {
                handler.uncaughtException(Thread.currentThread(), trouble);
            } else {
                System.err.println("jfs: " + Thread.currentThread().getName() + ": " + trouble);
            }
        } catch (Throwable e) {
            // The uncaught-exception handler has thrown, or there is no memory for the report.
        }
    }
}
