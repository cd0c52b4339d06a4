package jfs.connection;

import java.net.SocketOption;

/**
 * By this option JFS itself gets the connection of a socket, which {@code java.net} does not show. A socket
 * that is not JFS's answers with {@link UnsupportedOperationException}, as to each option that it does not know.
 */
public enum ConnectionOption implements SocketOption<Connection> {

    OF_JFS;

    @Override
    public Class<Connection> type() {
        return Connection.class;
    }
}
