package jfs.connection;

import java.net.Socket;
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

    /**
     * Whether the program's bytes are those of the socket's own connection. They are not in a socket whose class has streams of its own: a
     * socket of TLS, for example, has a connection of JFS below it, and a channel's adaptor is not to be used in non-blocking mode. These
     * options are not for such a socket. Also, a socket of TLS that was made over another one never uses its own {@link
     * java.net.SocketImpl}, but {@link Socket#setOption} and {@link Socket#getOption} would make that open a descriptor.
     */
    public static boolean areFor(Socket socket) {
        try {
            Class<?> type = socket.getClass();
            return type.getMethod("getInputStream").getDeclaringClass() == Socket.class
                    && type.getMethod("getOutputStream").getDeclaringClass() == Socket.class;
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        } catch (SecurityException e) { // a class of the JDK's own, at which the program may not look
            return false;
        }
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
