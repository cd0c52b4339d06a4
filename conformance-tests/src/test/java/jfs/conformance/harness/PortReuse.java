package jfs.conformance.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;

import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.Callable;
import java.util.function.Function;
import jfs.testing.Await;
import jfs.testing.Background;

/** A listener on a port whose last listener was closed while a thread accepted. */
public final class PortReuse {

    private PortReuse() {
    }

    /**
     * Asserts that the port is free soon after the close. With the JDK's own sockets it is not free before the accepting
     * thread has left its system call.
     *
     * @param threads begins a call in a thread of the kind that is tested
     */
    public static void assertFreeAfterClose(Function<Callable<Socket>, Background<Socket>> threads) throws Exception {
        ServerSocket first = Pair.listener();
        int port = first.getLocalPort();
        first.close();
        for (int i = 0; i < 20; i++) {
            ServerSocket[] listener = new ServerSocket[1];
            Await.until("the port is free", () -> {
                try {
                    listener[0] = new ServerSocket(port, 50, InetAddress.getByName("127.0.0.1"));
                    return true;
                } catch (BindException e) {
                    return false;
                }
            });
            Background<Socket> accepting = threads.apply(listener[0]::accept).blocked();
            listener[0].close();
            assertEquals("Socket closed", assertThrowsExactly(SocketException.class, accepting::result).getMessage());
        }
    }
}
