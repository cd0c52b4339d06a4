package jfs.conformance.options;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import jfs.conformance.harness.Side;
import jfs.conformance.harness.Start;
import jfs.conformance.harness.Transcript;
import org.junit.jupiter.api.Tag;

/** What a socket reports of itself in every state. */
@Tag("ends") // it knows what differs at the ends that are channels
class StateTest {

    static void look(Transcript seen, String when, Socket socket) {
        seen.line(when);
        seen.see("text", socket::toString);
        seen.see("bound", socket::isBound);
        seen.see("connected", socket::isConnected);
        seen.see("closed", socket::isClosed);
        seen.see("input shut", socket::isInputShutdown);
        seen.see("output shut", socket::isOutputShutdown);
        seen.see("local address", socket::getLocalAddress);
        seen.see("local port", socket::getLocalPort);
        seen.see("local socket address", socket::getLocalSocketAddress);
        seen.see("address", socket::getInetAddress);
        seen.see("port", socket::getPort);
        seen.see("remote socket address", socket::getRemoteSocketAddress);
        seen.see("channel", socket::getChannel);
    }

    private static void look(Transcript seen, String when, ServerSocket listener) {
        seen.line(when);
        seen.see("text", listener::toString);
        seen.see("bound", listener::isBound);
        seen.see("closed", listener::isClosed);
        seen.see("address", listener::getInetAddress);
        seen.see("port", listener::getLocalPort);
        seen.see("socket address", listener::getLocalSocketAddress);
        seen.see("channel", listener::getChannel);
    }

    @Side.AtEach
    void beforeItIsConnected(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            try (Socket socket = new Socket()) {
                look(seen, "new", socket);
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                seen.port("bound", socket.getLocalPort());
                look(seen, "bound", socket);
                socket.close();
                look(seen, "closed", socket);
            }
            try (Socket socket = new Socket()) {
                socket.close();
                look(seen, "never bound and closed", socket);
            }
        });
    }

    @Start.AtEach
    void afterItWasConnected(Start start) throws Exception {
        start.sameAsJdk((ends, seen) -> {
            look(seen, "connected", ends.near());
            ends.near().shutdownOutput();
            look(seen, "output shut", ends.near());
            ends.near().shutdownInput();
            look(seen, "input shut too", ends.near());
            ends.near().close();
            look(seen, "closed", ends.near());
            look(seen, "the other end", ends.far());
        });
    }

    @Side.AtEach
    void aListener(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            for (String address : new String[] {"127.0.0.1", "0.0.0.0", "::1", "::"}) {
                try (ServerSocket listener = new ServerSocket()) {
                    look(seen, "new", listener);
                    seen.see("bind", () -> listener.bind(new InetSocketAddress(address, 0)));
                    seen.port("listening", listener.getLocalPort());
                    look(seen, "bound to " + address, listener);
                    listener.close();
                    look(seen, "closed", listener);
                }
            }
        });
    }

    /** All calls that leave the socket as it was. */
    private static void tryAll(Transcript seen, String when, Socket socket) {
        seen.line(when);
        seen.see("input stream", () -> socket.getInputStream() == socket.getInputStream());
        seen.see("output stream", () -> socket.getOutputStream() == socket.getOutputStream());
        seen.see("connect to nothing", () -> socket.connect(null));
        seen.see("connect too late", () -> socket.connect(new InetSocketAddress("127.0.0.1", 1), -1));
        seen.see("connect elsewhere", () -> socket.connect(new SocketAddress() { }));
        seen.see("bind elsewhere", () -> socket.bind(new SocketAddress() { }));
        seen.see("bind to nobody", () -> socket.bind(InetSocketAddress.createUnresolved("nobody", 1)));
    }

    private static void endAll(Transcript seen, Socket socket) {
        seen.see("shutdown input", socket::shutdownInput);
        seen.see("shutdown input again", socket::shutdownInput);
        seen.see("shutdown output", socket::shutdownOutput);
        seen.see("shutdown output again", socket::shutdownOutput);
        tryAll(seen, "shut", socket);
        seen.see("close", socket::close);
        seen.see("close again", socket::close);
        seen.see("shutdown input after close", socket::shutdownInput);
        seen.see("shutdown output after close", socket::shutdownOutput);
        seen.see("connect after close", () -> socket.connect(new InetSocketAddress("127.0.0.1", 1)));
        seen.see("bind after close", () -> socket.bind(null));
        tryAll(seen, "closed", socket);
        look(seen, "closed", socket);
    }

    @Side.AtEach
    void whatCanBeDoneWithoutAConnection(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            try (Socket socket = new Socket()) {
                tryAll(seen, "new", socket);
                endAll(seen, socket);
            }
            try (Socket socket = new Socket()) {
                socket.bind(new InetSocketAddress("127.0.0.1", 0));
                seen.port("bound", socket.getLocalPort());
                tryAll(seen, "bound", socket);
                seen.see("bind again", () -> socket.bind(null));
                endAll(seen, socket);
            }
        });
    }

    @Start.AtEach
    void whatCanBeDoneWithAConnection(Start start) throws Exception {
        start.sameAsJdk((ends, seen) -> {
            InputStream in = ends.in();
            OutputStream out = ends.out();
            tryAll(seen, "connected", ends.near());
            seen.see("connect again", () -> ends.near().connect(ends.near().getRemoteSocketAddress()));
            seen.see("bind again", () -> ends.near().bind(null));
            endAll(seen, ends.near());
            seen.see("close input stream", in::close);
            seen.see("close output stream", out::close);
            seen.see("flush", out::flush);
            seen.see("available", in::available);
            seen.see("write", () -> out.write(1));
            seen.see("write nothing", () -> out.write(new byte[0]));
            seen.see("read into nothing", () -> in.read(new byte[0]));
        });
    }

    @Side.AtEach
    void afterAFailedConnect(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            for (boolean bind : new boolean[] {false, true}) {
                try (Socket socket = new Socket()) {
                    if (bind) {
                        socket.bind(new InetSocketAddress("127.0.0.1", 0));
                        seen.port("bound", socket.getLocalPort());
                    }
                    seen.see("connect", () -> socket.connect(new InetSocketAddress("127.0.0.1", 0)));
                    look(seen, "failed", socket);
                    seen.see("again", () -> socket.connect(new InetSocketAddress("127.0.0.1", 0)));
                    tryAll(seen, "failed", socket);
                    endAll(seen, socket);
                }
            }
        });
    }

    @Start.AtEach
    void afterAReset(Start start) throws Exception {
        start.sameAsJdk((ends, seen) -> {
            ends.far().setSoLinger(true, 0);
            ends.far().close();
            look(seen, "reset, but not seen", ends.near());
            seen.see("read", () -> ends.in().read());
            look(seen, "reset", ends.near());
            seen.see("available", () -> ends.in().available());
            tryAll(seen, "reset", ends.near());
        });
    }

    /** Connections to several addresses of a wildcard listener. One address names its interface. */
    @Side.AtEach
    void acceptedOnAWildcard(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            try (ServerSocket listener = new ServerSocket(0)) {
                seen.port("listener", listener.getLocalPort());
                for (String address : new String[] {"127.0.0.1", "127.0.0.2", "::1", "::1%lo", "::ffff:127.0.0.1"}) {
                    try (Socket client = new Socket()) {
                        seen.see("connect to " + address,
                                () -> client.connect(new InetSocketAddress(address, listener.getLocalPort())));
                        if (client.isConnected()) {
                            seen.port("client to " + address, client.getLocalPort());
                            look(seen, "client", client);
                            try (Socket server = listener.accept()) {
                                look(seen, "server", server);
                            }
                        }
                    }
                }
            }
        });
    }

    @Side.AtEach
    void whatCanBeDoneWithAListener(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            try (ServerSocket listener = new ServerSocket()) {
                seen.see("accept", listener::accept);
                seen.see("bind elsewhere", () -> listener.bind(new SocketAddress() { }));
                seen.see("bind to nobody", () -> listener.bind(InetSocketAddress.createUnresolved("nobody", 1)));
                listener.setSoTimeout(1);
                seen.see("bind", () -> listener.bind(null, -7));
                seen.port("listener", listener.getLocalPort());
                seen.see("accept", listener::accept);
                seen.see("bind again", () -> listener.bind(null));
                seen.see("close", listener::close);
                seen.see("close again", listener::close);
                seen.see("accept", listener::accept);
                seen.see("bind", () -> listener.bind(null));
                look(seen, "closed", listener);
            }
            try (ServerSocket listener = new ServerSocket()) {
                listener.close();
                look(seen, "never used", listener);
            }
        });
    }
}
