package jfs;

import java.io.IOException;
import java.lang.reflect.Field;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;

/** The kernel's values of a JFS socket's options, where the program reads other values. */
public final class Kernel {

    private Kernel() {
    }

    /**
     * The kernel's TCP_NODELAY of this socket, which must be a JFS socket, or the adaptor of a channel of JFS's provider. Needs
     * {@code java.net} to be open to reflection.
     */
    public static boolean noDelay(Socket socket) throws IOException {
        try {
            if (socket.getChannel() != null) { // the interface is there only when JFS has defined it
                return (boolean) Class.forName("java.nio.channels.spi.JfsTcp").getMethod("tcpGetOption", SocketOption.class)
                        .invoke(socket.getChannel(), StandardSocketOptions.TCP_NODELAY);
            }
            Field impl = Socket.class.getDeclaredField("impl");
            impl.setAccessible(true);
            return ((JFSSocketImpl) impl.get(socket)).tcp().getOption(StandardSocketOptions.TCP_NODELAY);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
