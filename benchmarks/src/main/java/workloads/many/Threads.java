package workloads.many;

/** The kind of threads that serve a program's connections. */
public enum Threads {
    /** Each connection has a thread of its own. */
    PLATFORM,
    /** A few threads take turns with all connections. */
    POOL,
    /** Each connection has a virtual thread of its own: JDK 21 and later. */
    VIRTUAL;

    private static final long STACK = 256 << 10;

    /** Runs the task in a new daemon thread. A pool calls this for each of its threads. */
    void start(String name, Runnable task) {
        if (this == VIRTUAL) {
            startVirtual(task);
            return;
        }
        Thread thread = new Thread(null, task, name, STACK);
        thread.setDaemon(true);
        thread.start();
    }

    /** Uses reflection, because these classes are compiled for JDK 17, which does not have the method. */
    private static void startVirtual(Runnable task) {
        try {
            Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JDK has no virtual threads", e);
        }
    }
}
