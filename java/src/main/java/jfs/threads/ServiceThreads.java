package jfs.threads;

import java.security.AccessController;
import java.security.PrivilegedAction;

/**
 * Makes the threads of JFS. Such a thread is started by the first thread of the program that needs it, and may live as long as the
 * process. So it inherits nothing from the starting thread that would keep an application's classes loaded. It has no context class
 * loader, no inheritable thread locals and no access control context (which threads inherit before JDK 24). It is in the topmost thread
 * group instead of the program's.
 *
 * <p>All methods may be called from any thread. None of them blocks.
 */
public final class ServiceThreads {

    /** Bytes. These threads need little stack, because their calls are not deeply nested. */
    private static final int STACK_SIZE = 256 << 10;
    /** The JVM's default, for shutdown hooks: they write to System.err, which the program may have replaced by a stream of its own. */
    private static final int DEFAULT_STACK_SIZE = 0;

    /** From this version of Java on threads have no access control context, and {@link AccessController} is to be removed. */
    private static final int WITHOUT_ACCESS_CONTROL = 24;

    private ServiceThreads() {
    }

    /** Makes a daemon thread that does the work, and does not start it. */
    public static Thread create(String name, Runnable work) {
        Thread thread = create(name, work, STACK_SIZE);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Registers work that a thread of its own does when the JVM shuts down.
     *
     * @return false if the JVM is shutting down already; then nothing is registered
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

    /** A thread that has the context class loader, and before JDK 24 the access control context, of the caller. */
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

    /**
     * Makes a thread that has no access control context but JFS's own. This is a class of its own, so that a JDK without AccessController
     * never loads it.
     */
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
