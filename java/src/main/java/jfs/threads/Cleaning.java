package jfs.threads;

import java.lang.ref.Cleaner;

/**
 * The cleaner that frees the resources of sockets to which nothing refers any more. One cleaner, with one thread, serves all sockets.
 * It is made at its first use and not by a static initialiser: if that found no thread, the class would never work again.
 */
public final class Cleaning {

    private static volatile Cleaner cleaner;

    private Cleaning() {
    }

    /** @throws IllegalStateException if the system has no thread for it now; never after the first success */
    public static Cleaner cleaner() {
        Cleaner it = cleaner;
        if (it == null) {
            synchronized (Cleaning.class) {
                it = cleaner;
                if (it == null) {
                    try {
                        it = cleaner = Cleaner.create();
                    } catch (OutOfMemoryError e) { // the JVM throws this when the system has no thread
                        throw new IllegalStateException("thread of a cleaner: " + e.getMessage(), e);
                    }
                }
            }
        }
        return it;
    }
}
