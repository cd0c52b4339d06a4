package jfs.conformance.connecting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import jfs.conformance.harness.Pair;
import jfs.conformance.harness.Side;
import jfs.conformance.harness.Subject;
import jfs.conformance.harness.Transcript;
import jfs.testing.Background;
import org.junit.jupiter.api.Test;

/** Accepting: without a client, while the listener is closed, and into sockets that the program chooses. */
class AcceptTest {

    @Side.AtEach
    void whatCantAccept(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            try (ServerSocket listener = new ServerSocket()) {
                seen.see("unbound", listener::accept);
                seen.see("bind to what is not here", () -> listener.bind(new InetSocketAddress("203.0.113.1", 0)));
                seen.see("still unbound", listener::accept);
                listener.close();
                seen.see("closed", listener::accept);
            }
            ServerSocket listener = Pair.listener();
            listener.close();
            seen.see("closed after it was bound", listener::accept);
        });
    }

    @Side.AtEach
    void inTime(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            try (ServerSocket listener = Pair.listener()) {
                listener.setSoTimeout(1);
                for (int i = 0; i < 3; i++) {
                    seen.see("nobody comes", listener::accept);
                }
                listener.setSoTimeout(100_000);
                try (Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
                        Socket server = listener.accept()) {
                    seen.see("time-out of the accepted one", server::getSoTimeout);
                    client.getOutputStream().write(3);
                    seen.see("read", () -> server.getInputStream().read());
                }
                listener.setSoTimeout(0);
                try (Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
                        Socket server = listener.accept()) {
                    client.getOutputStream().write(4);
                    seen.see("read without a limit", () -> server.getInputStream().read());
                }
                seen.see("negative", () -> listener.setSoTimeout(-1));
            }
        });
    }

    @Side.AtEach
    void closedWhileSeveralWait(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            for (int timeout : new int[] {0, 100_000}) {
                ServerSocket listener = Pair.listener();
                listener.setSoTimeout(timeout);
                List<Background<Socket>> waiting = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    waiting.add(Background.call(listener::accept).blocked());
                }
                listener.close();
                for (Background<Socket> each : waiting) {
                    seen.see("accept", each);
                }
                seen.see("later", listener::accept);
            }
        });
    }

    @Side.AtEach
    void theClientHasGoneAlready(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            for (boolean reset : new boolean[] {false, true}) {
                try (ServerSocket listener = Pair.listener()) {
                    Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
                    seen.port("client", client.getLocalPort()).port("listener", listener.getLocalPort());
                    client.getOutputStream().write(5);
                    client.setSoLinger(reset, 0);
                    client.close();
                    try (Socket server = listener.accept()) {
                        seen.line(Transcript.state(server));
                        for (int i = 0; i < 3; i++) {
                            seen.see("read, reset " + reset, () -> server.getInputStream().read());
                        }
                        seen.see("option", server::getTcpNoDelay);
                        seen.see("shut", server::shutdownOutput);
                    }
                }
            }
        });
    }

    /** Each client is accepted once. */
    @Side.AtEach
    void severalAcceptAtOnce(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            try (ServerSocket listener = Pair.listener()) {
                List<Background<Integer>> accepting = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    accepting.add(Background.call(() -> {
                        try (Socket server = listener.accept()) {
                            int number = server.getInputStream().read();
                            server.getOutputStream().write(number);
                            return number;
                        }
                    }));
                }
                List<Socket> clients = new ArrayList<>();
                for (int i = 0; i < accepting.size(); i++) {
                    Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
                    client.getOutputStream().write(i);
                    clients.add(client);
                }
                int sum = 0;
                for (Background<Integer> each : accepting) {
                    sum += each.result();
                }
                seen.line("sum " + sum);
                for (Socket client : clients) {
                    seen.see("answer", () -> client.getInputStream().read());
                    client.close();
                }
            }
        });
    }

    /** A listener that accepts into a socket of the program's. */
    static final class Into extends ServerSocket {
        private final Callable<? extends Socket> target;

        Into(Callable<? extends Socket> target) throws IOException {
            super(0, 50, InetAddress.getByName("127.0.0.1"));
            this.target = target;
        }

        @Override
        public Socket accept() throws IOException {
            Socket socket;
            try {
                socket = target.call();
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            implAccept(socket);
            return socket;
        }
    }

    /** A socket that counts the bytes that are read. */
    static final class Counting extends Socket {
        private long read;

        Counting() {
        }

        Counting(SocketImpl impl) throws SocketException {
            super(impl);
        }

        @Override
        public InputStream getInputStream() throws IOException {
            InputStream in = super.getInputStream();
            return new InputStream() {
                @Override
                public int read() throws IOException {
                    read++;
                    return in.read();
                }

                @Override
                public int read(byte[] into, int offset, int length) throws IOException {
                    int n = in.read(into, offset, length);
                    read += Math.max(0, n);
                    return n;
                }
            };
        }
    }

    private static Socket connected() throws IOException {
        try (ServerSocket listener = Pair.listener()) {
            Socket socket = new Socket(listener.getInetAddress(), listener.getLocalPort());
            listener.accept().close();
            return socket;
        }
    }

    private static Socket bound() throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress("127.0.0.1", 0));
        return socket;
    }

    private static Socket closed() throws IOException {
        Socket socket = bound();
        socket.close();
        return socket;
    }

    /** Accepts and exchanges messages both ways, in a conversation that may switch. */
    private static void accept(Transcript seen, String into, Callable<? extends Socket> target) throws Exception {
        try (Into listener = new Into(target); Socket client = new Socket("127.0.0.1", listener.getLocalPort())) {
            seen.port("client", client.getLocalPort()).port("listener", listener.getLocalPort());
            Socket[] server = {null};
            seen.see("accept into " + into, () -> {
                server[0] = listener.accept();
                return Transcript.state(server[0]);
            });
            if (server[0] == null || server[0].isClosed()) {
                return;
            }
            for (int i = 0; i < 20; i++) {
                seen.see("ask", () -> client.getOutputStream().write(1));
                seen.see("hear", () -> server[0].getInputStream().read());
                seen.see("answer", () -> server[0].getOutputStream().write(2));
                seen.see("have", () -> client.getInputStream().read());
            }
            seen.see("close", server[0]::close);
            seen.see("end", () -> client.getInputStream().read());
        }
    }

    private static void sameAsJdk(String into, Callable<? extends Socket> target) throws Exception {
        // On one side only the listener and the target would be of different kinds. java.net itself refuses that.
        Side side = Subject.current() == Subject.JDK ? Side.NONE : Side.BOTH;
        side.sameAsJdk(seen -> accept(seen, into, target));
    }

    @Test
    void intoANewSocket() throws Exception {
        sameAsJdk("a new one", Socket::new);
    }

    @Test
    void intoASocketWithoutAnImplementation() throws Exception {
        sameAsJdk("one without", () -> new Counting(null));
    }

    @Test
    void intoASubclass() throws Exception {
        List<Counting> made = new ArrayList<>();
        sameAsJdk("a subclass", () -> {
            made.add(new Counting());
            return made.get(made.size() - 1);
        });
        assertEquals(List.of(20L, 20L), made.stream().map(each -> each.read).toList());
    }

    @Test
    void intoABoundSocket() throws Exception {
        sameAsJdk("a bound one", AcceptTest::bound);
    }

    /** A JFS socket has at most one connection in its life. The client's connection is not lost: the next accept gets it. */
    @Test
    void intoAConnectedSocket() throws Exception {
        boolean jdk = Subject.current() == Subject.JDK;
        for (boolean closed : new boolean[] {false, true}) {
            try (Pair used = Pair.fresh()) {
                used.converse();
                if (closed) {
                    used.client.close();
                }
                List<Socket> targets = new ArrayList<>(List.of(used.client, new Socket()));
                try (Into listener = new Into(() -> targets.remove(0)); Socket client = new Socket("127.0.0.1",
                        listener.getLocalPort())) {
                    if (!jdk) {
                        assertEquals("JFS can't accept into a socket that was connected before",
                                assertThrows(SocketException.class, listener::accept).getMessage());
                        try (Pair next = Pair.of(client, listener.accept())) {
                            next.converse();
                        }
                    }
                }
            }
        }
    }

    /** The connection is closed at once, since the program has no socket by which it could close it. */
    @Test
    void intoAClosedSocket() throws Exception {
        Side.current();
        try (Into listener = new Into(AcceptTest::closed); Socket client = new Socket("127.0.0.1",
                listener.getLocalPort())) {
            try {
                assertTrue(listener.accept().isClosed());
            } catch (SocketException e) {
                assertEquals("Socket is closed", e.getMessage());
            }
            if (Subject.current() != Subject.JDK) {
                assertEquals(-1, client.getInputStream().read());
            }
        }
    }

    /** A socket implementation that a program has made itself. */
    private static final class Foreign extends SocketImpl {
        private final List<String> calls = new ArrayList<>();

        @Override
        protected void create(boolean stream) {
            calls.add("create " + stream);
        }

        @Override
        protected void connect(String host, int port) {
            throw new AssertionError("nobody calls this");
        }

        @Override
        protected void connect(InetAddress to, int port) {
            throw new AssertionError("nobody calls this");
        }

        @Override
        protected void connect(SocketAddress to, int timeout) {
            calls.add("connect " + to + " " + timeout);
        }

        @Override
        protected void bind(InetAddress host, int port) {
            calls.add("bind " + host + " " + port);
        }

        @Override
        protected void listen(int backlog) {
            calls.add("listen " + backlog);
        }

        @Override
        protected void accept(SocketImpl into) {
            calls.add("accept");
        }

        @Override
        protected InputStream getInputStream() {
            return InputStream.nullInputStream();
        }

        @Override
        protected OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
        }

        @Override
        protected int available() {
            return 0;
        }

        @Override
        protected void close() {
            calls.add("close");
        }

        @Override
        protected void sendUrgentData(int data) {
            calls.add("urgent " + data);
        }

        @Override
        public void setOption(int option, Object value) {
            calls.add("set " + option);
        }

        @Override
        public Object getOption(int option) throws SocketException {
            calls.add("get " + option);
            throw new SocketException("no option " + option);
        }
    }

    /** A listener over an implementation of the program's own. */
    private static final class Over extends ServerSocket {
        Over(SocketImpl impl) {
            super(impl);
        }
    }

    @Test
    void implementationsOfTheProgramsOwn() throws Exception {
        Side side = Subject.current() == Subject.JDK ? Side.NONE : Side.BOTH;
        side.sameAsJdk(seen -> {
            Foreign impl = new Foreign();
            try (Socket socket = new Counting(impl)) {
                socket.bind(new InetSocketAddress("127.0.0.1", 5));
                socket.connect(new InetSocketAddress("127.0.0.1", 6), 7);
                seen.see("read", () -> socket.getInputStream().read());
                seen.see("option", socket::getTcpNoDelay);
            }
            seen.line(impl.calls.toString());
            Foreign listening = new Foreign();
            try (ServerSocket listener = new Over(listening)) {
                listener.bind(new InetSocketAddress("127.0.0.1", 5), 4);
            }
            seen.line(listening.calls.toString());
        });
    }

    /** Neither the JDK nor JFS can accept into it. The client's connection is not lost: the next accept gets it. */
    @Test
    void intoAnImplementationOfTheProgramsOwn() throws Exception {
        Side.current();
        List<Callable<Socket>> targets = new ArrayList<>(List.of(() -> new Counting(new Foreign()), Socket::new));
        try (Into listener = new Into(() -> targets.remove(0).call()); Socket client = new Socket("127.0.0.1",
                listener.getLocalPort())) {
            String message = assertThrows(IOException.class, listener::accept).getMessage();
            assertTrue(message.matches("An instance of class \\S+ cannot accept a connection with an instance of class "
                    + "jfs.conformance.connecting.AcceptTest.Foreign"), message);
            try (Pair pair = Pair.of(client, listener.accept())) {
                pair.converse();
            }
        }
    }

    /**
     * The two kinds meet, for example, if one socket was made before the factory was set. {@code java.net} refuses to
     * accept with one kind into the other.
     */
    @Test
    void intoASocketOfTheOtherKind() throws Exception {
        assumeTrue(Subject.current() != Subject.JDK, "the subject jdk has only one kind of sockets");
        for (Side ofListener : new Side[] {Side.NONE, Side.BOTH}) {
            Side ofTarget = ofListener == Side.NONE ? Side.BOTH : Side.NONE;
            List<Side> targets = new ArrayList<>(List.of(ofTarget, ofListener));
            try (Into listener = ofListener.call(() -> new Into(() -> targets.remove(0).call(Socket::new)));
                    Socket client = new Socket("127.0.0.1", listener.getLocalPort())) {
                String message = assertThrows(IOException.class, listener::accept).getMessage();
                assertTrue(message.contains(" cannot accept a connection with an instance of "), message);
                try (Socket server = listener.accept()) {
                    for (int i = 0; i < 10; i++) {
                        client.getOutputStream().write(1);
                        assertEquals(1, server.getInputStream().read());
                        server.getOutputStream().write(2);
                        assertEquals(2, client.getInputStream().read());
                    }
                }
            }
        }
    }
}
