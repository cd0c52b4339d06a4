package jfs.conformance.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import jfs.conformance.harness.Subject.Counters;
import jfs.stat.Reason;
import jfs.testing.Await;
import jfs.testing.Background;

/** The two ends of one connection. */
public final class Pair implements AutoCloseable {

    /** Ports of listeners without JFS. JFS's clients may remember for a while that no JFS process listens there. */
    private static final Set<Integer> PLAIN_LISTENERS = ConcurrentHashMap.newKeySet();

    public final Socket client;
    public final Socket server;
    /** The ends that JFS can take off TCP. */
    private final Side side;
    private final Counters before;
    /** The reasons that keep this connection on TCP, as far as they are counted from here on. */
    private final Map<Reason, Long> reasons;
    private final AutoCloseable also;

    private Pair(Socket client, Socket server, Counters before, Map<Reason, Long> reasons, AutoCloseable also) {
        this.client = client;
        this.server = server;
        this.side = Side.current();
        this.before = before;
        this.reasons = reasons;
        this.also = also;
    }

    /** Makes a connection over which no byte has been sent. */
    public static Pair fresh() throws IOException {
        return fresh(Family.IPV4);
    }

    public static Pair fresh(Family family) throws IOException {
        Side side = Side.current(); // first: it installs JFS, so in a JVM without a socket yet the listener would be the JDK's
        ServerSocket listener = family.listener();
        while (PLAIN_LISTENERS.contains(listener.getLocalPort()) || side == Side.CLIENT && isNamed(listener.getLocalPort())) {
            listener.close();
            listener = family.listener();
        }
        if (side == Side.CLIENT) {
            PLAIN_LISTENERS.add(listener.getLocalPort());
        }
        return via(listener, family.address(), listener);
    }

    /** Whether a JFS process has the names of this port. Names outlive a closed listener as long as it has connections (NEG-3). */
    private static boolean isNamed(int port) throws IOException {
        try (Stream<String> sockets = Files.lines(Path.of("/proc/net/unix"))) {
            return sockets.anyMatch(socket -> socket.contains(":" + port + "#"));
        }
    }

    /** The same with a listener of the caller's. */
    public static Pair via(ServerSocket listener) throws IOException {
        return via(listener, listener.getInetAddress(), () -> { });
    }

    private static Pair via(ServerSocket listener, InetAddress address, AutoCloseable also) throws IOException {
        Map<Reason, Long> reasons = reasons(Side.current());
        Counters before = Counters.now();
        Socket client = EndKind.ofClients().connect(address, listener.getLocalPort());
        return new Pair(client, EndKind.ofServers().accept(listener), before, reasons, also);
    }

    /** A listener on the loopback interface and any free port. */
    public static ServerSocket listener() throws IOException {
        Side.current();
        return Family.IPV4.listener();
    }

    /** Two ends that the caller has connected. */
    public static Pair of(Socket client, Socket server) {
        Side.current();
        return new Pair(client, server, Counters.now(), Map.of(), () -> { });
    }

    /** The reasons why connections between these sides stay on TCP. They are known as soon as the connections have been used. */
    private static Map<Reason, Long> reasons(Side side) {
        Reason ofAll = Subject.current().reason();
        return switch (side) {
            case NONE -> Map.of();
            // A server with JFS can't know before the end of a connection that no offer will come.
            case SERVER -> ofAll == null ? Map.of() : Map.of(ofAll, 1L);
            case CLIENT -> Map.of(Subject.current().reasonOfPlainPeers(), 1L);
            case BOTH -> ofAll == null ? Map.of() : Map.of(ofAll, 2L);
        };
    }

    /** Whether the connection leaves TCP when it becomes a conversation. */
    public boolean switches() {
        return side == Side.BOTH && Subject.current().switches();
    }

    /** Makes both ends able to leave TCP. No direction has left it yet: each will in its next step. No byte is under way. */
    public Pair attach() throws Exception {
        pingPong();
        offer();
        assertEquals('?', server.getInputStream().read());
        return assertAttached();
    }

    /**
     * The same, but neither end has entered a read since, so the other one can't switch.
     *
     * @param last the end that writes the last byte; the other end's next bytes acknowledge it
     */
    public Pair attachUnready(Socket last) throws Exception {
        pingPong();
        Background<Integer> atServer = Background.call(() -> server.getInputStream().read()).blocked();
        Background<Integer> atClient = last == client ? null
                : Background.call(() -> client.getInputStream().read()).blocked();
        offer();
        assertEquals('?', atServer.result());
        if (atClient != null) {
            server.getOutputStream().write('!');
            assertEquals('!', atClient.result());
        }
        return assertAttached();
    }

    /** Writes a request after an answer. That makes a conversation, which is offered. */
    private void offer() throws Exception {
        client.getOutputStream().write('?');
        if (switches()) {
            Await.until(() -> "both ends have a fast path, but " + counted(), () -> counted().attached() == 2);
        } else {
            awaitReasons();
        }
    }

    private void awaitReasons() throws Exception {
        Await.until(() -> "there is the reason " + reasons + ", but " + counted(), () -> counted().fallbacks().equals(reasons));
    }

    private Pair assertAttached() {
        assertEquals(switches() ? new Counters(2, 0, 0, Map.of()) : unswitched(), counted(), "attached, not switched");
        return this;
    }

    /** One direction goes over the fast path, and the other one not yet. No byte is under way. */
    public Pair switchFrom(Socket sender, Socket receiver) throws Exception {
        return attach().switchOne(sender, receiver);
    }

    /** The same for a pair that is attached. */
    public Pair switchOne(Socket sender, Socket receiver) throws Exception {
        Counters half = switches() ? new Counters(2, 1, 1, Map.of()) : unswitched();
        Await.until(() -> "half switched, but " + counted(), () -> { // between hosts the sender learns later that it may switch
            Background<Integer> reader = Background.call(() -> receiver.getInputStream().read()).blocked();
            sender.getOutputStream().write('!');
            assertEquals('!', reader.result());
            return counted().equals(half);
        });
        return this;
    }

    /** Talks until both ends send and receive on the fast path. Without a fast path it exchanges a few bytes. */
    public Pair converse() throws Exception {
        converseBesideOthers();
        assertSwitched();
        return this;
    }

    /** The same where other connections of this process may still attach or end: what they count is taken for this pair's. */
    public void converseBesideOthers() throws Exception {
        for (int i = 0; i < 3; i++) {
            pingPong();
        }
        if (switches()) {
            Await.until(() -> "all four ends of the two directions have switched, but " + counted(), () -> {
                pingPong();
                Counters now = counted(); // a path is used before it is counted
                return now.attached() >= 2 && now.switchedOut() >= 2 && now.switchedIn() >= 2;
            });
        } else {
            awaitReasons();
        }
    }

    /** What JFS has counted since this pair was made. */
    public Counters counted() {
        return Counters.now().since(before);
    }

    /**
     * Asserts that the counters have what both ends of one connection add when they have switched. If the connection stays
     * on TCP, these are its reasons.
     */
    public void assertSwitched() throws IOException {
        assertEquals(switched(), counted());
        assertTrue(!switches() || Subject.current().sharesMemory() || Messages.channels() >= 2, "over messages");
    }

    public boolean hasSwitched() {
        return counted().equals(switched());
    }

    private Counters switched() {
        return switches() ? new Counters(2, 2, 2, Map.of()) : unswitched();
    }

    private Counters unswitched() {
        return new Counters(0, 0, 0, reasons);
    }

    /** Sends one byte there and one byte back. */
    public void pingPong() throws IOException {
        client.getOutputStream().write(1);
        assertEquals(1, server.getInputStream().read());
        server.getOutputStream().write(2);
        assertEquals(2, client.getInputStream().read());
    }

    @Override
    public void close() throws Exception {
        client.close();
        server.close();
        also.close();
    }
}
