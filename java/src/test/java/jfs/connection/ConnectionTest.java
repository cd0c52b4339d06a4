package jfs.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOptions;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import jfs.stat.Reason;
import jfs.stat.Stats;
import jfs.transport.tcp.NioSocket;
import jfs.transport.tcp.TcpSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A connection's life, as its states say, with a plain socket as its peer and a path that only takes notes. */
class ConnectionTest {

    private ServerSocket listener;
    private Socket peer;
    private Connection connection;
    private final NotedPath noted = new NotedPath();
    private final List<String> called = noted.called;
    private Map<Reason, Long> before;

    /** Is counted down when a reader is about to enter TCP's read, after it has looked for a path. */
    private final CountDownLatch inTcp = new CountDownLatch(1);

    @BeforeEach
    void connect() throws IOException {
        before = Stats.fallbacks();
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        TcpSocket tcp = NioSocket.of(TcpSocket.Use.DIRECT_CLIENT);
        tcp.create(true);
        tcp.connect(listener.getLocalSocketAddress(), 0);
        tcp.connected(false);
        peer = listener.accept();
        connection = new Connection(new Alone() {
            @Override
            public boolean pollsTcp() {
                inTcp.countDown();
                return false;
            }
        }, tcp, 0);
        connection.begin();
    }

    @AfterEach
    void close() throws IOException {
        connection.close();
        peer.close();
        listener.close();
    }

    private boolean attach() {
        return connection.candidate() != null && connection.attach(noted.path());
    }

    /** The reasons at which this test's connection is counted now. */
    private Map<Reason, Long> reasons() {
        Map<Reason, Long> now = new EnumMap<>(Reason.class);
        Stats.fallbacks().forEach((reason, count) -> now.put(reason, count - before.getOrDefault(reason, 0L)));
        now.values().removeIf(count -> count == 0);
        return now;
    }

    private void closesWith(Reason reason) throws IOException {
        connection.close();
        assertTrue(connection.isClosed());
        assertEquals(Map.of(reason, 1L), reasons());
        connection.close();
        assertEquals(Map.of(reason, 1L), reasons(), "closed twice");
    }

    @Test
    void aPlainConnectionWasNeverAsked() throws IOException {
        closesWith(Reason.NOT_ASKED);
    }

    @Test
    void aCandidateThatNoOfferCanFindWasNeverAsked() throws IOException {
        connection.candidate();
        closesWith(Reason.NOT_ASKED);
    }

    @Test
    void aReasonThatPassedGivesWayToTheNext() throws IOException {
        connection.candidate();
        connection.defer(Reason.NO_RESOURCES, null);
        assertEquals(Map.of(Reason.NO_RESOURCES, 1L), reasons());
        connection.defer(Reason.NO_PEER, null);
        assertEquals(Map.of(Reason.NO_RESOURCES, 1L), reasons(), "a peer that has ended says no more");
        connection.defer(Reason.PEER_BUSY, null);
        closesWith(Reason.PEER_BUSY);
    }

    @Test
    void theFirstReasonForGoodCounts() throws IOException {
        connection.fallback(Reason.RULE, null);
        connection.fallback(Reason.VERSION, null);
        connection.defer(Reason.NO_RESOURCES, null);
        closesWith(Reason.RULE);
    }

    @Test
    void aPathEndsTheReason() throws IOException {
        connection.candidate();
        connection.defer(Reason.NO_RESOURCES, null);
        assertTrue(attach());
        assertEquals(Map.of(), reasons());
        connection.fallback(Reason.VERSION, null);
        connection.close();
        assertEquals(Map.of(), reasons());
    }

    @Test
    void onePathAtMost() {
        assertTrue(attach());
        assertFalse(attach());
    }

    @Test
    void aRefusedEndMayStillTakeAPath() throws IOException {
        connection.candidate();
        connection.fallback(Reason.VERSION, null);
        assertTrue(attach());
        assertEquals(Map.of(), reasons());
    }

    @Test
    void aClosedConnectionGetsNoPathAndNoReason() throws IOException {
        connection.candidate();
        connection.close();
        assertFalse(attach());
        connection.defer(Reason.NO_PEER, null);
        connection.fallback(Reason.VERSION, null);
        assertEquals(Map.of(Reason.NOT_ASKED, 1L), reasons());
        assertEquals(List.of(), called);
    }

    @Test
    void aPathThatWillNotBeUsedIsAReason() throws IOException {
        attach();
        noted.whyUnused = "it has failed";
        connection.writer().write(1);
        assertEquals(1, peer.getInputStream().read(), "the byte goes over TCP");
        closesWith(Reason.PATH_FAILED);
    }

    @Test
    void aPathThatWasNotUsedUntilTheCloseIsAReason() throws IOException {
        attach();
        noted.whyUnused = "it has failed";
        closesWith(Reason.PATH_FAILED);
    }

    /** As the peer has to see it (END-3). The halves come last, because a path may free its memory then. */
    @Test
    void aCloseLeavesThePathStepByStep() throws IOException {
        attach();
        called.clear();
        connection.close();
        called.removeAll(List.of("available", "whyUnused", "isBroken"));
        assertEquals(List.of("finish", "tcpCloses", "closeReceiver", "wake", "retireReceiver", "retireSender"), called);
        assertEquals(-1, peer.getInputStream().read());
    }

    /** SWITCH-1: the peer must not switch while the reader is in TCP's read, where no doorbell wakes it. */
    @Test
    void onlyAReaderThatEntersAReadIsReady() throws Exception {
        connection.writer().write(1); // the next read is for an answer, so the reader asks whether it may poll
        FutureTask<Integer> read = new FutureTask<>(() -> connection.reader().read());
        Thread reader = new Thread(read);
        reader.start();
        assertTrue(inTcp.await(10, TimeUnit.SECONDS));
        assertTrue(attach());
        connection.setOption(SocketOptions.TCP_NODELAY, true);
        assertEquals(0, connection.available());
        peer.getOutputStream().write(2);
        assertEquals(2, read.get(10, TimeUnit.SECONDS));
        reader.join();
        assertFalse(called.contains("ready"));
        peer.getOutputStream().write(3);
        assertEquals(3, connection.reader().read());
        assertTrue(called.contains("ready"));
        assertTrue(called.indexOf("ready") < called.indexOf("switchedAt"));
    }

    /** The output is shut down after the writer has looked at that, and before the direction switches. */
    @Test
    void aHalfCloseBesideTheSwitchIsFoundByTheWrite() throws Exception {
        assertTrue(attach());
        noted.peerReady = () -> {
            try {
                connection.shutdownOutput();
                return true;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        connection.tcp().writeLock().lock();
        try {
            assertTrue(connection.writer().takesPath());
            assertEquals("Broken pipe", assertThrows(SocketException.class, () -> connection.writer().write(1)).getMessage());
        } finally {
            connection.tcp().writeLock().unlock();
        }
        assertFalse(called.contains("switchAt"));
        assertEquals(-1, peer.getInputStream().read());
    }
}
