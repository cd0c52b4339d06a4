package jfs.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Connecting to who answers, who refuses, and who does neither. */
class ConnectTest {

    /** A listener that answers to nobody any more: its backlog is full. */
    static final class Full implements AutoCloseable {
        private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
        private final List<Socket> waiting = new ArrayList<>();

        Full() throws IOException {
            try {
                for (int i = 0; i < 10; i++) {
                    Socket socket = new Socket();
                    waiting.add(socket);
                    socket.connect(address(), 100);
                }
            } catch (SocketTimeoutException e) {
                return;
            }
            throw new AssertionError("still not full");
        }

        SocketAddress address() {
            return listener.getLocalSocketAddress();
        }

        @Override
        public void close() throws IOException {
            for (Socket socket : waiting) {
                socket.close();
            }
            listener.close();
        }
    }

    private static void assertClosed(Socket socket) {
        SocketException e = assertThrows(SocketException.class,
                () -> socket.connect(new InetSocketAddress("127.0.0.1", 1)));
        // As JDK 17 and as later ones have it.
        assertTrue(e.getMessage().equals("Socket closed") || e.getMessage().equals("Socket is closed"), e.getMessage());
    }

    @Test
    void timedOut() throws Exception {
        Subject.current();
        try (Full full = new Full(); Socket socket = new Socket()) {
            SocketTimeoutException e = assertThrows(SocketTimeoutException.class,
                    () -> socket.connect(full.address(), 20));
            assertEquals("Connect timed out", e.getMessage());
            assertEquals(0, e.bytesTransferred);
            assertClosed(socket);
        }
    }

    @Test
    void refused() throws Exception {
        Subject.current();
        SocketAddress nobody;
        try (ServerSocket listener = Pair.listener()) {
            nobody = listener.getLocalSocketAddress();
        }
        for (int timeout : new int[] {0, 1000}) {
            try (Socket socket = new Socket()) {
                ConnectException e = assertThrows(ConnectException.class, () -> socket.connect(nobody, timeout));
                assertEquals(ConnectException.class, e.getClass());
                assertEquals("Connection refused", e.getMessage());
                assertFalse(socket.isConnected());
                assertClosed(socket);
            }
        }
    }

    @Test
    void withATimeoutThatIsNotNeeded() throws Exception {
        try (ServerSocket listener = Pair.listener(); Socket client = new Socket()) {
            client.connect(listener.getLocalSocketAddress(), 10_000);
            try (Pair pair = Pair.of(client, listener.accept())) {
                pair.converse();
            }
        }
    }

    @Test
    void closedMeanwhile() throws Exception {
        Subject.current();
        try (Full full = new Full()) {
            for (int timeout : new int[] {0, 1_000_000}) {
                Socket socket = new Socket();
                Background<Void> connecting = Background.run(() -> socket.connect(full.address(), timeout)).blocked();
                socket.close();
                assertEquals("Socket closed", assertThrows(SocketException.class, connecting::result).getMessage());
            }
        }
    }

    @Test
    void anInterruptDoesNothing() throws Exception {
        Subject.current();
        try (Full full = new Full(); Socket socket = new Socket()) {
            Background<Boolean> connecting = Background.call(() -> {
                assertThrows(SocketTimeoutException.class, () -> socket.connect(full.address(), 300));
                return Thread.interrupted();
            }).blocked();
            connecting.thread().interrupt();
            assertTrue(connecting.result(), "the status is kept");
        }
    }

    @Test
    void anEarlierInterruptDoesNothing() throws Exception {
        try (ServerSocket listener = Pair.listener()) {
            Background<Socket> connecting = Background.call(() -> {
                Thread.currentThread().interrupt();
                Socket socket = new Socket(listener.getInetAddress(), listener.getLocalPort());
                assertTrue(Thread.interrupted(), "the status is kept");
                return socket;
            });
            try (Pair pair = Pair.of(connecting.result(), listener.accept())) {
                pair.converse();
            }
        }
    }

    @Test
    void toTheWildcard() throws Exception {
        InetAddress here;
        try {
            here = InetAddress.getLocalHost();
        } catch (UnknownHostException e) {
            assumeTrue(false, "this host does not know its name: " + e);
            return;
        }
        Subject.current();
        try (ServerSocket listener = new ServerSocket(0); Socket client = new Socket()) {
            client.connect(new InetSocketAddress("0.0.0.0", listener.getLocalPort()));
            try (Pair pair = Pair.of(client, listener.accept())) {
                assertEquals(here, client.getInetAddress());
                pair.converse();
            }
        }
    }

    @Test
    void nobodyOfThatName() throws Exception {
        Subject.current();
        try (Socket socket = new Socket()) {
            UnknownHostException e = assertThrows(UnknownHostException.class,
                    () -> socket.connect(InetSocketAddress.createUnresolved("nobody.invalid", 1)));
            assertEquals("nobody.invalid", e.getMessage());
        }
    }

    @Test
    void virtualThreads() throws Exception {
        VirtualThreads.assume();
        try (Full full = new Full(); ServerSocket listener = Pair.listener()) {
            Socket interrupted = new Socket();
            Background<Void> connecting = VirtualThreads.run(() -> {
                try {
                    interrupted.connect(full.address());
                } finally {
                    assertTrue(Thread.currentThread().isInterrupted(), "the status is kept");
                }
            }).blocked();
            connecting.thread().interrupt();
            SocketException e = assertThrows(SocketException.class, connecting::result);
            assertEquals("Closed by interrupt", e.getMessage());
            assertTrue(interrupted.isClosed());

            Socket closed = new Socket();
            Background<Void> toBeClosed = VirtualThreads.run(() -> closed.connect(full.address())).blocked();
            closed.close();
            assertEquals("Socket closed", assertThrows(SocketException.class, toBeClosed::result).getMessage());

            Background<Void> late = VirtualThreads.run(() -> new Socket().connect(full.address(), 20));
            assertInstanceOf(SocketTimeoutException.class, assertThrows(IOException.class, late::result));

            Background<Socket> good = VirtualThreads.call(
                    () -> new Socket(listener.getInetAddress(), listener.getLocalPort()));
            try (Pair pair = Pair.of(good.result(), listener.accept())) {
                pair.converse();
            }
        }
    }
}
