package jfs.buffers.pool;

import jfs.spi.Setting;

/** The pool that all of a program share. */
public final class BufferPools {

    /** The system property; the environment variable is {@code JFS_BUFFERS_DEBUG}. */
    private static final Setting<Integer> DEBUG = Setting.integer("jfs.buffers.debug", 0, 0, BuddyPool.DEBUG_MOST);
    private static final String DEBUG_VARIABLE = "JFS_BUFFERS_DEBUG";

    /** Null: not made yet. */
    private static volatile BuddyPool pool;

    private BufferPools() {
    }

    /**
     * A pool with the defaults of {@link BuddyPool.Builder}, which lives as long as the class. It has no memory before its first
     * allocation. Under a security manager that does not allow to read the setting {@code jfs.buffers.debug} the setting has its
     * default.
     *
     * @throws IllegalArgumentException at each call, if the setting {@code jfs.buffers.debug} has a value that is not allowed
     */
    public static BuddyPool shared() {
        BuddyPool made = pool;
        return made != null ? made : make();
    }

    private static synchronized BuddyPool make() {
        if (pool == null) {
            pool = BuddyPool.builder().name("shared").debug(debugSetting()).build();
        }
        return pool;
    }

    /** What the setting {@code jfs.buffers.debug} says. */
    static int debugSetting() {
        String text = null;
        try {
            String property = System.getProperty(DEBUG.name());
            text = property != null ? property : System.getenv(DEBUG_VARIABLE);
        } catch (SecurityException e) {
            // the default
        }
        return DEBUG.of(text);
    }
}
