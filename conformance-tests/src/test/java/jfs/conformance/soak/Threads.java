package jfs.conformance.soak;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import jfs.conformance.VirtualThreads;

/** Threads of the two kinds, as many as are asked for. */
final class Threads {

    private static final ThreadFactory VIRTUAL = VirtualThreads.factory();

    /** They end soon, so that those there are at rest can be counted. */
    private final ThreadPoolExecutor platform = new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS,
            new SynchronousQueue<>(), work -> {
                Thread thread = new Thread(null, work, "conversation", 256 << 10);
                thread.setDaemon(true);
                return thread;
            });

    static boolean areVirtualHere() {
        return VIRTUAL != null;
    }

    /** Those that have not ended. */
    int platformThreads() {
        return platform.getPoolSize();
    }

    Executor of(boolean virtual) {
        return virtual ? work -> VIRTUAL.newThread(work).start() : platform;
    }
}
