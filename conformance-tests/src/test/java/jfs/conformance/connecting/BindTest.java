package jfs.conformance.connecting;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import jfs.conformance.harness.Family;
import jfs.conformance.harness.Pair;
import jfs.conformance.harness.Side;
import jfs.conformance.harness.Transcript;

/** Binding: which addresses and ports a socket can have, and what happens when it can't have one. */
class BindTest {

    private static final SocketAddress OTHER_KIND = new SocketAddress() { };

    private static SocketAddress loopback(int port) {
        return new InetSocketAddress("127.0.0.1", port);
    }

    /**
     * Makes a listener whose port no other socket has at another address. The kernel may give a port that another socket
     * has, or had, at another address.
     */
    private static ServerSocket aloneOnItsPort() throws IOException {
        for (;;) {
            ServerSocket listener = Pair.listener();
            if (isFree("127.0.0.2", listener.getLocalPort())
                    && (!Family.available().contains(Family.IPV6) || isFree("::1", listener.getLocalPort()))) {
                return listener;
            }
            listener.close();
        }
    }

    private static boolean isFree(String address, int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.bind(new InetSocketAddress(address, port));
            return true;
        } catch (BindException e) {
            return false;
        }
    }

    private static int portForAll() throws IOException {
        try (ServerSocket listener = aloneOnItsPort()) {
            return listener.getLocalPort();
        }
    }

    /** An address to bind to, and its name in the transcript. */
    private record Place(String name, SocketAddress address) {
    }

    private static Place[] places(int takenPort) {
        return new Place[] {
            new Place("null", null),
            new Place("any", new InetSocketAddress(0)),
            new Place("loopback", loopback(0)),
            new Place("loopback of IPv6", new InetSocketAddress("::1", 0)),
            new Place("any of IPv6", new InetSocketAddress("::", 0)),
            new Place("mapped", new InetSocketAddress("::ffff:127.0.0.1", 0)),
            new Place("taken", loopback(takenPort)),
            new Place("taken by another address", new InetSocketAddress("127.0.0.2", takenPort)),
            new Place("taken for some", new InetSocketAddress(takenPort)),
            new Place("taken for the other family", new InetSocketAddress("::1", takenPort)),
            new Place("not of this host", new InetSocketAddress("203.0.113.1", 0)),
            new Place("multicast", new InetSocketAddress("224.0.0.1", 0)),
            new Place("unresolved", InetSocketAddress.createUnresolved("localhost", 0)),
            new Place("another kind", OTHER_KIND),
        };
    }

    private static String state(ServerSocket listener) {
        return listener + (listener.isBound() ? " bound" : "") + (listener.isClosed() ? " closed" : "") + " at "
                + listener.getLocalSocketAddress();
    }

    /** A failed bind leaves the socket as it was, so it can be bound to another address. */
    @Side.AtEach
    void aSocket(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            try (ServerSocket other = aloneOnItsPort()) {
                seen.port("taken", other.getLocalPort());
                for (Place place : places(other.getLocalPort())) {
                    try (Socket socket = new Socket()) {
                        seen.see(place.name, () -> socket.bind(place.address));
                        seen.port(socket.getLocalPort() == other.getLocalPort() ? "taken" : "local",
                                socket.getLocalPort());
                        seen.line(Transcript.state(socket));
                        seen.see("again", () -> socket.bind(loopback(0)));
                        seen.port(socket.getLocalPort() == other.getLocalPort() ? "taken" : "local",
                                socket.getLocalPort());
                        seen.line(Transcript.state(socket));
                        seen.see("connect", () -> socket.connect(other.getLocalSocketAddress()));
                        seen.line(Transcript.state(socket));
                        if (socket.isConnected()) {
                            other.accept().close();
                        }
                    }
                }
            }
        });
    }

    @Side.AtEach
    void aListener(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            try (ServerSocket other = aloneOnItsPort()) {
                seen.port("taken", other.getLocalPort());
                for (Place place : places(other.getLocalPort())) {
                    try (ServerSocket listener = new ServerSocket()) {
                        seen.see(place.name, () -> listener.bind(place.address));
                        seen.port(listener.getLocalPort() == other.getLocalPort() ? "taken" : "local",
                                listener.getLocalPort());
                        seen.line(state(listener));
                        seen.see("again", () -> listener.bind(loopback(0)));
                        seen.port(listener.getLocalPort() == other.getLocalPort() ? "taken" : "local",
                                listener.getLocalPort());
                        seen.line(state(listener));
                        listener.close();
                        seen.see("when closed", () -> listener.bind(place.address));
                        seen.line(state(listener));
                    }
                }
            }
        });
    }

    @Side.AtEach
    void theConstructorsOfListeners(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            for (int port : new int[] {-1, 65536}) {
                seen.see("port " + port, () -> new ServerSocket(port));
                seen.see("port " + port, () -> new ServerSocket(port, 1));
                seen.see("port " + port, () -> new ServerSocket(port, 1, null));
            }
            try (ServerSocket listener = new ServerSocket(0)) {
                seen.port("listener", listener.getLocalPort());
                seen.line(state(listener));
                seen.see("taken", () -> new ServerSocket(listener.getLocalPort()));
                seen.see("taken", () -> new ServerSocket(listener.getLocalPort(), 5, InetAddress.getByName("::1")));
                seen.see("not of this host", () -> new ServerSocket(0, 5, InetAddress.getByName("203.0.113.1")));
            }
        });
    }

    @Side.AtEach
    void withAndWithoutReuseOfAddresses(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            for (boolean first : new boolean[] {false, true}) {
                for (boolean second : new boolean[] {false, true}) {
                    String how = first + " then " + second;
                    try (ServerSocket one = new ServerSocket(); ServerSocket two = new ServerSocket();
                            Socket three = new Socket()) {
                        one.setReuseAddress(first);
                        two.setReuseAddress(second);
                        three.setReuseAddress(second);
                        one.bind(loopback(0));
                        seen.port("port", one.getLocalPort());
                        seen.see(how, () -> two.bind(one.getLocalSocketAddress()));
                        seen.see(how + " for any", () -> two.bind(new InetSocketAddress(one.getLocalPort())));
                        seen.see(how + " without listening", () -> three.bind(one.getLocalSocketAddress()));
                        seen.line(state(one)).line(state(two)).line(Transcript.state(three));
                        one.close();
                        seen.see("when it is closed", () -> two.bind(loopback(one.getLocalPort())));
                    }
                    try (Socket one = new Socket(); ServerSocket two = new ServerSocket();
                            Socket three = new Socket()) {
                        one.setReuseAddress(first);
                        two.setReuseAddress(second);
                        three.setReuseAddress(second);
                        one.bind(loopback(0));
                        seen.port("port", one.getLocalPort());
                        seen.see(how + ", bound only", () -> three.bind(one.getLocalSocketAddress()));
                        seen.see(how + ", a listener", () -> two.bind(one.getLocalSocketAddress()));
                        seen.line(Transcript.state(one)).line(state(two)).line(Transcript.state(three));
                    }
                }
            }
        });
    }

    @Side.AtEach
    void withAndWithoutSharingOfPorts(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            for (boolean first : new boolean[] {false, true}) {
                for (boolean second : new boolean[] {false, true}) {
                    try (ServerSocket one = new ServerSocket(); ServerSocket two = new ServerSocket();
                            ServerSocket three = new ServerSocket()) {
                        int port = portForAll();
                        one.setOption(StandardSocketOptions.SO_REUSEPORT, first);
                        two.setOption(StandardSocketOptions.SO_REUSEPORT, second);
                        three.setOption(StandardSocketOptions.SO_REUSEPORT, second);
                        one.bind(loopback(port));
                        seen.port("port", one.getLocalPort());
                        seen.see(first + " then " + second, () -> two.bind(one.getLocalSocketAddress()));
                        seen.see("and any", () -> three.bind(new InetSocketAddress(one.getLocalPort())));
                        seen.line(state(one)).line(state(two)).line(state(three));
                    }
                }
            }
        });
    }

    /** Each listener gets the connections to its own address. */
    @Side.AtEach
    void severalAddressesOnOnePort(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            try (ServerSocket one = aloneOnItsPort(); ServerSocket two = new ServerSocket();
                    ServerSocket three = new ServerSocket()) {
                int port = one.getLocalPort();
                seen.port("port", port);
                seen.see("another of IPv4", () -> two.bind(new InetSocketAddress("127.0.0.2", port)));
                seen.see("IPv6", () -> three.bind(new InetSocketAddress("::1", port)));
                for (String to : new String[] {"127.0.0.1", "127.0.0.2", "::1", "127.0.0.3"}) {
                    try (Socket client = new Socket()) {
                        seen.see(to, () -> client.connect(new InetSocketAddress(to, port)));
                        if (client.isConnected()) {
                            ServerSocket listener = to.equals("127.0.0.1") ? one : to.equals("127.0.0.2") ? two : three;
                            try (Socket server = listener.accept()) {
                                seen.port("client", client.getLocalPort());
                                seen.line(Transcript.state(server));
                            }
                        }
                    }
                }
            }
        });
    }

    /** The kernel keeps a connection for a while after its end. That prevents a bind that did not ask for SO_REUSEADDR. */
    @Side.AtEach
    void aPortWhoseConnectionHasJustEnded(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            int port;
            try (ServerSocket listener = Pair.listener(); Pair pair = Pair.via(listener)) {
                port = listener.getLocalPort();
                for (int i = 0; i < 5; i++) {
                    pair.pingPong();
                }
                listener.close();
                seen.port("port", port);
                seen.see("while it is there", () -> bind(port, false));
                seen.see("reusing, while it is there", () -> bind(port, true));
                pair.server.close();
                seen.see("end", () -> pair.client.getInputStream().read());
            }
            seen.see("afterwards", () -> bind(port, false));
            seen.see("reusing", () -> bind(port, true));
        });
    }

    private static String bind(int port, boolean reuse) throws IOException {
        try (ServerSocket listener = new ServerSocket()) {
            listener.setReuseAddress(reuse);
            listener.bind(loopback(port));
            return state(listener);
        }
    }

    /** As many connections wait as the kernel allows for that backlog. All of them are accepted later. */
    @Side.AtEach
    void theBacklog(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            for (int backlog : new int[] {1, 2}) {
                try (ServerSocket listener = new ServerSocket(0, backlog, InetAddress.getByName("127.0.0.1"))) {
                    int waiting = 0;
                    while (connects(listener)) {
                        waiting++;
                    }
                    seen.line("backlog " + backlog + ": " + waiting);
                    for (int i = 0; i < waiting; i++) {
                        try (Socket server = listener.accept()) {
                            seen.see("accepted, and its client has gone", () -> server.getInputStream().read());
                        }
                    }
                }
            }
            for (int backlog : new int[] {0, -1}) { // the default
                try (ServerSocket listener = new ServerSocket(0, backlog, InetAddress.getByName("127.0.0.1"))) {
                    for (int i = 0; i < 20; i++) {
                        seen.see("backlog " + backlog, () -> connects(listener));
                    }
                }
            }
        });
    }

    private static boolean connects(ServerSocket to) throws IOException {
        try (Socket client = new Socket()) {
            client.connect(to.getLocalSocketAddress(), 200);
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }
}
