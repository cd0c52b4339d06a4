package jfs.connection;

import java.util.Map;
import java.util.WeakHashMap;
import jfs.spi.Preferences;

/**
 * The preferences that programs have stated for their sockets. Hardly a connection has any, so they are kept here, and not in a field that
 * each connection would have to pay for. An owner is a connection, or a socket that is not connected yet. The table refers to it weakly.
 * Thread-safe. Nothing here blocks for long.
 */
public final class StatedPreferences {

    /** Null before the first statement. */
    private static Map<Object, Preferences> table;

    private StatedPreferences() {
    }

    /** The owner has these preferences from now on. */
    public static void state(Object owner, Preferences preferences) {
        synchronized (StatedPreferences.class) {
            if (table == null) {
                table = new WeakHashMap<>(); // no owner has an equals() of its own
            }
            table.put(owner, preferences);
            Life.preferencesAreStated = true;
        }
    }

    /** @return null if none were stated */
    public static Preferences of(Object owner) {
        synchronized (StatedPreferences.class) {
            return table == null ? null : table.get(owner);
        }
    }

    /** The connection has what was stated for the socket before it was connected. */
    static void move(Object socket, Connection connection) {
        Preferences stated = of(socket);
        if (stated != null) {
            state(connection, stated);
        }
    }
}
