package jfs.wait;

import java.security.AccessController;
import java.security.PrivilegedAction;

/**
 * Makes the threads of JFS. Such a thread is started by whichever thread of the program is the first to need it, and may
 * live as long as the process. So it takes over nothing of that thread's which would keep an application's classes loaded:
 * no context class loader, no inheritable thread locals, no access control context (which threads inherit before JDK 24),
 * and it is in the topmost thread group instead of the program's.
 *
 * <p>All methods may be called from any thread. None of them blocks.
 */
public final class ServiceThreads {

    /** Bytes: none of these threads calls deeply. */
    private static final int STACK_SIZE = 256 << 10;
    /** Of shutdown hooks, which write to whatever the program has put in the place of System.err: the JVM's own size. */
    private static final int DEFAULT_STACK_SIZE = 0;

    /** Since this version of Java threads have no access control context, and {@link AccessController} is on its way out. */
    private static final int WITHOUT_ACCESS_CONTROL = 24;

    private ServiceThreads() {
    }

    /** A daemon thread that does the work, not started yet. */
    public static Thread create(String name, Runnable work) {
        Thread thread = create(name, work, STACK_SIZE);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Has the work done by a thread of its own when the JVM shuts down.
     *
     * @return false if the JVM is shutting down already: then nothing is done
     */
    public static boolean atShutdown(String name, Runnable work) {
        try {
            Runtime.getRuntime().addShutdownHook(create(name, work, DEFAULT_STACK_SIZE));
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private static Thread create(String name, Runnable work, int stackSize) {
        Thread thread = Runtime.version().feature() >= WITHOUT_ACCESS_CONTROL ? inherit(name, work, stackSize)
                : Privileged.inherit(name, work, stackSize);
        thread.setContextClassLoader(null);
        return thread;
    }

    /** A thread that has the context class loader, and before JDK 24 the access control context, of whoever calls this. */
    private static Thread inherit(String name, Runnable work, int stackSize) {
        return new Thread(topmostGroup(), work, name, stackSize, false);
    }

    private static ThreadGroup topmostGroup() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    /** The same with no access control context but JFS's own. A class of its own: a JDK without AccessController never loads it. */
    private record Privileged(String name, Runnable work, int stackSize) implements PrivilegedAction<Thread> {

        @SuppressWarnings("removal")
        static Thread inherit(String name, Runnable work, int stackSize) {
            return AccessController.doPrivileged(new Privileged(name, work, stackSize));
        }

        @Override
        public Thread run() {
            return ServiceThreads.inherit(name, work, stackSize);
        }
    }
}
