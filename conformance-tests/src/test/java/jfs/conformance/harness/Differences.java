package jfs.conformance.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import jfs.testing.Background;
import org.junit.jupiter.api.function.Executable;

/**
 * What the JDK does otherwise at the adaptor of a channel than at a socket of {@code java.net}. Tests that expect something which differs
 * ask here, by the end that does it. A {@link SelectorSocket} fails as the adaptor does, and has the rest of a socket.
 */
public final class Differences {

    private static final int JDK = Runtime.version().feature();

    /** Reasons for which calls fail. */
    public enum Failure {
        /** Another thread has closed the end while the call waited. */
        CLOSED_MEANWHILE("Socket closed", AsynchronousCloseException.class, null),
        /** The end was closed before the call. */
        CLOSED("Socket closed", ClosedChannelException.class, null),
        /** The end was closed before the call, which asks the socket itself and not the kernel. */
        IS_CLOSED("Socket is closed", SocketException.class, "Socket is closed"),
        /** The end is being closed while the call asks whether it is open. */
        IS_BEING_CLOSED("Socket is closed", SocketException.class, "Socket is not connected"),
        /** A half was to be shut of an end that was closed before. */
        SHUT_AFTER_CLOSE("Socket is closed", ClosedChannelException.class, null),
        /** The listener was closed before the accept. */
        ACCEPT_AFTER_CLOSE("Socket is closed", JDK >= 25 ? ClosedChannelException.class : AsynchronousCloseException.class, null),
        /** The peer does not take bytes any more. */
        BROKEN_PIPE("Broken pipe", IOException.class, "Broken pipe"),
        /** A write finds out that the peer has reset the connection. */
        RESET_BY_PEER("Connection reset by peer", IOException.class, "Connection reset by peer"),
        /** The output of this end was shut before the write. */
        OUTPUT_SHUT("Broken pipe", ClosedChannelException.class, null) {
            @Override
            Class<? extends Exception> type(EndKind kind) { // in non-blocking mode the JDK calls the kernel before it looks
                return kind == EndKind.SELECTOR ? AsynchronousCloseException.class : super.type(kind);
            }
        },
        /** The end has a connection, and connects once more. */
        CONNECTED(JDK >= 25 ? "Already connected" : "already connected",
                JDK >= 25 ? SocketException.class : AlreadyConnectedException.class, JDK >= 25 ? "Already connected" : null);

        private final String ofSockets;
        private final Class<? extends Exception> typeOfChannels;
        private final String ofChannels;

        Failure(String ofSockets, Class<? extends Exception> typeOfChannels, String ofChannels) {
            this.ofSockets = ofSockets;
            this.typeOfChannels = typeOfChannels;
            this.ofChannels = ofChannels;
        }

        Class<? extends Exception> type(EndKind kind) {
            return kind == EndKind.SOCKET ? SocketException.class : typeOfChannels;
        }

        String message(EndKind kind) {
            return kind == EndKind.SOCKET ? ofSockets : ofChannels;
        }

        private void assertThrown(EndKind kind, Executable call) {
            assertEquals(message(kind), assertThrowsExactly(type(kind), call).getMessage());
        }

        /** Asserts that the call fails for this reason, as it does at this kind of end. */
        public void assertThrown(Socket end, Executable call) {
            assertThrown(EndKind.of(end), call);
        }

        /** The same for a listener. */
        public void assertThrown(ServerSocket listener, Executable call) {
            assertThrown(EndKind.of(listener), call);
        }
    }

    private Differences() {
    }

    /** Asserts that the call at this end fails for one of these reasons. Returns which one. */
    public static Failure assertThrowsOneOf(Socket end, Executable call, Failure... reasons) {
        return assertOneOf(EndKind.of(end), assertThrows(Exception.class, call), reasons);
    }

    /** Asserts that an exception at this end has one of these reasons. Returns which one. */
    public static Failure assertOneOf(Socket end, Exception thrown, Failure... reasons) {
        return assertOneOf(EndKind.of(end), thrown, reasons);
    }

    /** The same for a call of a listener. */
    public static Failure assertThrowsOneOf(ServerSocket listener, Executable call, Failure... reasons) {
        return assertOneOf(EndKind.of(listener), assertThrows(Exception.class, call), reasons);
    }

    private static Failure assertOneOf(EndKind kind, Exception thrown, Failure... reasons) {
        for (Failure reason : reasons) {
            boolean sameMessage = String.valueOf(reason.message(kind)).equals(String.valueOf(thrown.getMessage()));
            if (reason.type(kind) == thrown.getClass() && sameMessage) {
                return reason;
            }
        }
        throw new AssertionError("expected one of " + List.of(reasons) + " at a " + kind, thrown);
    }

    /**
     * Asserts that the write fails that waits while the output of its end is shut. In non-blocking mode the write that comes next fails. It
     * may come before the channel knows that its output is shut.
     */
    public static void assertStopped(Socket end, Executable write) {
        if (EndKind.of(end) == EndKind.SELECTOR) {
            assertThrowsOneOf(end, write, Failure.BROKEN_PIPE, Failure.OUTPUT_SHUT);
        } else {
            Failure.BROKEN_PIPE.assertThrown(end, write);
        }
    }

    /** Asserts what a stream reads that has seen the end before its socket was closed: the end, but from a channel nothing. */
    public static void assertEndStays(Socket closed, InputStream in) throws IOException {
        if (EndKind.of(closed) == EndKind.SOCKET) {
            assertEquals(-1, in.read(), "the end stays");
        } else {
            Failure.CLOSED.assertThrown(closed, in::read);
        }
    }

    /**
     * Asserts what the peer of an end reads that was closed with unread bytes. A socket ends its output before it is closed, so the reader
     * sees the end first. A channel in blocking mode does not, and the reader sees the reset.
     */
    public static void assertEndOrReset(Socket closed, InputStream in) throws IOException {
        if (EndKind.of(closed) == EndKind.CHANNEL) {
            assertEquals("Connection reset", assertThrowsExactly(SocketException.class, in::read).getMessage());
        } else {
            assertEquals(-1, in.read());
        }
    }

    /** Asserts what a second shutdown of one half does: it fails, but at a channel it does nothing. */
    public static void assertShutTwice(Socket end, String message, Executable shutdown) throws Throwable {
        if (EndKind.of(end) == EndKind.SOCKET) {
            assertEquals(message, assertThrowsExactly(SocketException.class, shutdown).getMessage());
        } else {
            shutdown.execute();
        }
    }

    /** Whether a closed socket says that it was connected. */
    public static boolean isConnectedAfterClose(Socket end) {
        return EndKind.of(end) == EndKind.SOCKET;
    }

    /** The names of a socket's supported options, from those that a socket of {@code java.net} has. */
    public static Set<String> supportedOptions(Socket end, Set<String> ofSockets) {
        Set<String> names = new TreeSet<>(ofSockets);
        if (EndKind.of(end) != EndKind.SOCKET) {
            names.add("SO_OOBINLINE");
        }
        return names;
    }

    /** Whether the ends of this JVM's clients, or those of its servers, say that they have a channel. */
    public static boolean hasChannel(boolean client) {
        return (client ? EndKind.ofClients() : EndKind.ofServers()) != EndKind.SOCKET;
    }

    /** Whether the time-out of a read covers the time in which another thread reads. That is so on JDK 25, but not at a channel. */
    public static boolean timeoutCoversOtherReaders(Socket end) {
        return JDK >= 25 && EndKind.of(end) == EndKind.SOCKET;
    }

    /** Whether an interrupt of a thread that reads or writes closes the end. */
    public static boolean isClosedByInterrupt(Socket end) {
        return EndKind.of(end) == EndKind.CHANNEL;
    }

    /** Whether an interrupt of a thread that accepts closes the listener. */
    public static boolean isClosedByInterrupt(ServerSocket listener) {
        return EndKind.of(listener) == EndKind.CHANNEL;
    }

    /** Asserts that an interrupt of the calling thread closes the end, under this call. */
    public static void assertClosedByInterrupt(Socket end, Executable call) {
        assertThrowsExactly(ClosedByInterruptException.class, call);
        assertTrue(end.isClosed(), "the interrupt has closed the end");
    }

    /** Asserts that an interrupt of the thread that makes this call has closed the end. */
    public static void assertClosedByInterrupt(Socket end, Background<?> call) {
        assertClosedByInterrupt(end, (Executable) call::result);
    }

    /** The same for a listener. */
    public static void assertClosedByInterrupt(ServerSocket listener, Background<?> call) {
        assertThrowsExactly(ClosedByInterruptException.class, call::result);
        assertTrue(listener.isClosed(), "the interrupt has closed the listener");
    }

    /**
     * Asserts that interrupts of two threads have closed the end. One call has been interrupted. The other one may have seen the close, or
     * its own interrupt.
     */
    public static void assertClosedByInterrupts(Socket end, Background<?> one, Background<?> other) {
        Exception ofOne = assertThrows(AsynchronousCloseException.class, one::result);
        Exception ofOther = assertThrows(AsynchronousCloseException.class, other::result);
        assertTrue(ofOne instanceof ClosedByInterruptException || ofOther instanceof ClosedByInterruptException,
                () -> ofOne + ", " + ofOther);
        assertTrue(end.isClosed(), "an interrupt has closed the end");
    }

    /** Asserts that the call had its result before its thread was interrupted, or that the interrupt has closed the end. */
    public static void assertResultOrClosedByInterrupt(Object expected, Socket end, Background<?> call) throws Exception {
        try {
            assertEquals(expected, call.result());
        } catch (ClosedByInterruptException e) {
            assertTrue(end.isClosed(), "the interrupt has closed the end");
        }
    }
}
