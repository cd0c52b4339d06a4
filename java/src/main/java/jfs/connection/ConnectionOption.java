package jfs.connection;

import java.net.SocketOption;
import jfs.spi.Preferences;

/**
 * By these options JFS itself reaches the connection of a socket, which {@code java.net} does not show. A socket that is not JFS's answers
 * with {@link UnsupportedOperationException}, as to each option that it does not know.
 *
 * @param <T> what the option's value is
 */
public final class ConnectionOption<T> implements SocketOption<T> {

    /** The connection. It can't be set, and a socket has it once it is connected. */
    public static final ConnectionOption<Connection> OF_JFS = new ConnectionOption<>("jfs.connection", Connection.class);
    /** What matters most for the connection; null if the program has not said so. A socket has it before it is connected, too. */
    public static final ConnectionOption<Preferences> PREFERENCES = new ConnectionOption<>("jfs.preferences", Preferences.class);

    private final String name;
    private final Class<T> type;

    private ConnectionOption(String name, Class<T> type) {
        this.name = name;
        this.type = type;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Class<T> type() {
        return type;
    }

    @Override
    public String toString() {
        return name;
    }
}
