package jfs.wait;

import java.lang.ref.Cleaner;

/**
 * The thread that frees what sockets held which nobody refers to any more: one for all of them. It is made when it is
 * first needed, and not by a class's initialiser: a class whose initialiser finds no thread never works again.
 */
public final class Cleaning {

    private static volatile Cleaner cleaner;

    private Cleaning() {
    }

    /** @throws IllegalStateException if there is no thread to be had now; never again once there was one */
    public static Cleaner cleaner() {
        Cleaner it = cleaner;
        if (it == null) {
            synchronized (Cleaning.class) {
                it = cleaner;
                if (it == null) {
                    try {
                        it = cleaner = Cleaner.create();
                    } catch (OutOfMemoryError e) { // what the JVM calls it when the system has no thread for it
                        throw new IllegalStateException("thread of a cleaner: " + e.getMessage(), e);
                    }
                }
            }
        }
        return it;
    }
}
