package jfs;

import java.io.IOException;
import java.lang.reflect.Field;
import java.net.Socket;
import java.net.StandardSocketOptions;

/** The kernel's side of a JFS socket, where the program reads something else. */
public final class Kernel {

    private Kernel() {
    }

    /** The kernel's TCP_NODELAY; the socket is one of ours. Needs {@code java.net} to be open. */
    public static boolean noDelay(Socket socket) throws IOException {
        try {
            Field impl = Socket.class.getDeclaredField("impl");
            impl.setAccessible(true);
            return ((JFSSocketImpl) impl.get(socket)).tcp().getOption(StandardSocketOptions.TCP_NODELAY);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
