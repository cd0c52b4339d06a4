package jfs.buffers.pool;

import jfs.spi.Setting;

/** The pool that all of a program share. */
public final class BufferPools {

    /** The system property; the environment variable is {@code JFS_BUFFERS_DEBUG}. */
    private static final Setting<Integer> DEBUG = Setting.integer("jfs.buffers.debug", 0, 0, BuddyPool.DEBUG_MOST);
    private static final String DEBUG_VARIABLE = "JFS_BUFFERS_DEBUG";

    private BufferPools() {
    }

    /** Loaded, and so made, by the first call of {@link #shared}. */
    private static final class Shared {
        static final BuddyPool POOL = BuddyPool.builder().name("shared").debug(debugSetting()).build();
    }

    /**
     * A pool with the defaults of {@link BuddyPool.Builder}, which lives as long as the class. It has no memory before its first
     * allocation.
     *
     * @throws ExceptionInInitializerError at the first call, if the setting {@code jfs.buffers.debug} has a value that is not allowed
     */
    public static BuddyPool shared() {
        return Shared.POOL;
    }

    /** What the setting {@code jfs.buffers.debug} says. */
    static int debugSetting() {
        String property = System.getProperty(DEBUG.name());
        return DEBUG.of(property != null ? property : System.getenv(DEBUG_VARIABLE));
    }
}
