package jfs.wait;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Virtual threads, as far as a program for Java 17 can know of them. */
public final class VirtualThreads {

    /** {@code Thread.isVirtual()}, since 21; null before. */
    private static final MethodHandle IS_VIRTUAL = find();

    private static volatile EventLoop poller;

    private VirtualThreads() {
    }

    /** Whether this is one. */
    public static boolean isCurrent() {
        if (IS_VIRTUAL == null) {
            return false;
        }
        try {
            return (boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Watches descriptors for sleeping virtual threads. Made when the first one sleeps.
     *
     * @return null if it can't be made now, for want of descriptors or threads
     */
    static EventLoop poller() {
        EventLoop it = poller;
        if (it == null) {
            synchronized (VirtualThreads.class) {
                it = poller;
                if (it == null) {
                    try {
                        it = poller = new EventLoop("jfs-poller");
                    } catch (IllegalStateException e) {
                        return null;
                    }
                }
            }
        }
        return it;
    }

    private static MethodHandle find() {
        try {
            return MethodHandles.publicLookup().findVirtual(Thread.class, "isVirtual",
                    MethodType.methodType(boolean.class));
        } catch (NoSuchMethodException e) {
            return null;
        } catch (IllegalAccessException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
