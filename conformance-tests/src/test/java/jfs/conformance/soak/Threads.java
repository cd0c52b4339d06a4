package jfs.conformance.soak;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import jfs.testing.VirtualThreads;

/** Platform threads and virtual threads, as many as are needed. */
final class Threads {

    private static final ThreadFactory VIRTUAL = VirtualThreads.factory();

    /** Idle threads end soon, so that {@link #platformThreads} is 0 at rest. */
    private final ThreadPoolExecutor platform = new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS,
            new SynchronousQueue<>(), work -> {
                Thread thread = new Thread(null, work, "conversation", 256 << 10);
                thread.setDaemon(true);
                return thread;
            });

    static boolean areVirtualHere() {
        return VIRTUAL != null;
    }

    /** The number of platform threads that have not ended. */
    int platformThreads() {
        return platform.getPoolSize();
    }

    Executor of(boolean virtual) {
        return virtual ? work -> VIRTUAL.newThread(work).start() : platform;
    }
}
