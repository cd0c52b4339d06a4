package jfs.conformance.connecting;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import java.util.Arrays;
import java.util.List;
import jfs.conformance.harness.Options;
import jfs.conformance.harness.Side;
import jfs.conformance.harness.Transcript;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Programs that make sockets in their own ways: by factories, by subclasses of Socket, by socket implementations. */
class FactoryTest {

    /** A program's subclass of Socket, with a given implementation or with that of the factory. */
    private static final class Own extends Socket {
        private int streams;

        Own() {
        }

        Own(SocketImpl impl) throws IOException {
            super(impl);
        }

        @Override
        public InputStream getInputStream() throws IOException {
            streams++;
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read() throws IOException {
                    int b = super.read();
                    return b < 0 ? b : Character.toUpperCase(b);
                }
            };
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            streams++;
            return new FilterOutputStream(super.getOutputStream());
        }

        @Override
        public synchronized void close() throws IOException {
            super.close();
        }

        @Override
        public String toString() {
            return "own " + super.toString() + streams;
        }
    }

    /** Accepts into a socket of the program's class, as JSSE's listeners do. That socket may have been used before. */
    private static final class OwnListener extends ServerSocket {
        private final Socket next;

        OwnListener(Socket next) throws IOException {
            super(0, 50, InetAddress.getByName("127.0.0.1"));
            this.next = next;
        }

        @Override
        public Socket accept() throws IOException {
            implAccept(next);
            return next;
        }
    }

    private static void talk(Transcript seen, Socket client, Socket server) throws IOException {
        client.getOutputStream().write('a');
        seen.see("server", () -> server.getInputStream().read());
        server.getOutputStream().write('b');
        seen.see("client", () -> client.getInputStream().read());
    }

    @Test
    void aSecondFactoryIsRefused() throws Exception {
        Side.current().sameAsJdk(seen -> {
            if (Side.current() == Side.NONE) {
                Socket.setSocketImplFactory(Side::newImpl);
                ServerSocket.setSocketFactory(Side::newImpl);
            }
            seen.see("Socket", () -> Socket.setSocketImplFactory(Side::newImpl));
            seen.see("none for Socket", () -> Socket.setSocketImplFactory(null));
            seen.see("ServerSocket", () -> ServerSocket.setSocketFactory(Side::newImpl));
            seen.see("none for ServerSocket", () -> ServerSocket.setSocketFactory(null));
        });
    }

    /** The listener and the socket that it accepts into must be of the same kind, JFS's or the JDK's. */
    @Test
    void subclassesOfSocketWithAndWithoutAnImplementation() throws Exception {
        Side.current().sameAsJdk(seen -> {
            for (boolean created : new boolean[] {false, true}) {
                Socket into = created ? new Own() : new Own(null);
                if (created) {
                    Options.change(into);
                }
                try (ServerSocket listener = new OwnListener(into); Socket client = new Own()) {
                    seen.port("listener", listener.getLocalPort());
                    seen.see("new", client::toString);
                    client.connect(listener.getLocalSocketAddress());
                    seen.port("client", client.getLocalPort());
                    try (Socket server = listener.accept()) {
                        talk(seen, client, server);
                        seen.see("client", client::toString);
                        seen.see("server", server::toString);
                        Options.look(seen, "accepted", server);
                    }
                    seen.see("end", () -> client.getInputStream().read());
                }
                seen.see("closed", into::isClosed);
            }
        });
    }

    @Test
    void acceptedIntoASocketThatWasBound() throws Exception {
        Side.current().sameAsJdk(seen -> {
            Socket into = new Socket();
            into.bind(new InetSocketAddress("127.0.0.1", 0));
            acceptInto(seen, into);
        });
    }

    /** JDK 17 accepts into a closed socket. The program can then neither use nor close the connection. */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "JDK 17 accepts into a closed socket, and the connection is of no use then")
    void acceptedIntoASocketThatWasClosed() throws Exception {
        Side.current().sameAsJdk(seen -> {
            Socket into = new Socket();
            into.bind(new InetSocketAddress("127.0.0.1", 0));
            into.close();
            acceptInto(seen, into);
        });
    }

    private static void acceptInto(Transcript seen, Socket into) throws IOException {
        try (ServerSocket listener = new OwnListener(into);
                Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
            seen.port("listener", listener.getLocalPort()).port("client", client.getLocalPort());
            seen.see("accept", () -> listener.accept() == into);
            seen.see("accepted", into::toString);
            seen.see("server writes", () -> into.getOutputStream().write('b'));
            seen.see("client", () -> client.getInputStream().read());
            into.close();
        }
    }

    @Side.AtEach
    void anImplementationThatIsHandedOver(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            SocketImpl impl = Side.newImpl();
            seen.see("new implementation", impl::toString);
            try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
                    Own client = new Own(impl)) {
                seen.see("new", client::toString);
                client.connect(listener.getLocalSocketAddress());
                seen.port("listener", listener.getLocalPort()).port("client", client.getLocalPort());
                seen.see("connected implementation", impl::toString);
                try (Socket server = listener.accept()) {
                    talk(seen, client, server);
                }
                client.close();
                seen.see("closed implementation", impl::toString);
                seen.see("closed", client::toString);
            }
        });
    }

    /** Uses the numbers that {@link Socket} hides, with values that it would never pass on. */
    @Side.AtEach
    void optionsByNumber(Side side) throws Exception {
        List<Integer> numbers = List.of(SocketOptions.TCP_NODELAY, SocketOptions.SO_BINDADDR,
                SocketOptions.SO_REUSEADDR, SocketOptions.SO_REUSEPORT, SocketOptions.SO_BROADCAST,
                SocketOptions.IP_MULTICAST_IF, SocketOptions.IP_MULTICAST_IF2, SocketOptions.IP_MULTICAST_LOOP,
                SocketOptions.IP_TOS, SocketOptions.SO_LINGER, SocketOptions.SO_TIMEOUT, SocketOptions.SO_SNDBUF,
                SocketOptions.SO_RCVBUF, SocketOptions.SO_KEEPALIVE, SocketOptions.SO_OOBINLINE, 4711, -1);
        List<Object> values = Arrays.asList(null, "5", -5, 0, 5, 300, 70_000, Integer.MAX_VALUE, 5L, true, false);
        side.sameAsJdk(seen -> {
            SocketImpl impl = Side.newImpl();
            Socket socket = new Own(impl);
            for (String state : new String[] {"new", "created", "closed"}) {
                seen.line(state);
                if (state.equals("created")) {
                    socket.bind(new InetSocketAddress("127.0.0.1", 0));
                }
                if (state.equals("closed")) {
                    socket.close();
                }
                for (int number : numbers) {
                    seen.see("get " + number, () -> impl.getOption(number));
                    for (Object value : values) {
                        seen.see("set " + number + " to " + value, () -> impl.setOption(number, value));
                        seen.see("is", () -> impl.getOption(number));
                    }
                }
            }
        });
    }

    /** JDK 17 still has this class for options beside those of {@code java.net}. */
    @Side.AtEach
    void byTheSocketsOfTheJdkNetPackage(Side side) throws Exception {
        Class<?> sockets;
        try {
            sockets = Class.forName("jdk.net.Sockets");
        } catch (ClassNotFoundException e) {
            return; // a later JDK
        }
        SocketOption<Boolean> option = StandardSocketOptions.TCP_NODELAY;
        var set = sockets.getMethod("setOption", Socket.class, SocketOption.class, Object.class);
        var get = sockets.getMethod("getOption", Socket.class, SocketOption.class);
        side.sameAsJdk(seen -> {
            try (Socket socket = new Socket()) {
                seen.see("set", () -> set.invoke(null, socket, option, true));
                seen.see("get", () -> get.invoke(null, socket, option));
                seen.see("multicast", () -> get.invoke(null, socket, StandardSocketOptions.IP_MULTICAST_TTL));
            }
        });
    }
}
