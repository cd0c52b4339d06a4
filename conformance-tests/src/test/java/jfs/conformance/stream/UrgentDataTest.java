package jfs.conformance.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Pair;
import jfs.conformance.harness.Side;
import jfs.conformance.harness.Start;
import jfs.testing.Await;
import jfs.testing.Background;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Urgent bytes are a part of the stream with SO_OOBINLINE, and are dropped without it. */
@Tag("ends") // it knows what differs at the ends that are channels
class UrgentDataTest {

    private static void sendWithUrgent(Start.Ends ends) throws Exception {
        ends.out().write("ab".getBytes());
        ends.near().sendUrgentData('C');
        ends.out().write("de".getBytes());
    }

    private static void expect(Start.Ends ends, String text) throws Exception {
        assertEquals(text, new String(ends.farIn().readNBytes(text.length())));
    }

    @Start.AtEach
    void droppedByDefault(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            sendWithUrgent(ends);
            expect(ends, "abde");
            ends.near().shutdownOutput();
            assertEquals(-1, ends.farIn().read());
        }
    }

    @Start.AtEach
    void inPlaceIfWanted(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.far().setOOBInline(true);
            sendWithUrgent(ends);
            expect(ends, "abCde");
            ends.far().setOOBInline(false);
            sendWithUrgent(ends);
            expect(ends, "abde");
        }
    }

    @Start.AtEach
    void wantedBeforeTheConversation(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.far().setOOBInline(true);
            for (int i = 0; i < 20; i++) {
                ends.pair().pingPong();
            }
            sendWithUrgent(ends);
            expect(ends, "abCde");
        }
    }

    /** After an urgent byte the counts of stream bytes are uncertain. The conversation must go on all the same. */
    @Start.AtEach
    void theConversationGoesOn(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.near().sendUrgentData('!');
            for (int i = 0; i < 50; i++) {
                ends.pair().pingPong();
            }
            byte[] bytes = Bytes.of(1, 0, 100_000);
            Background<Void> writer = Background.run(() -> ends.out().write(bytes));
            assertArrayEquals(bytes, ends.farIn().readNBytes(bytes.length));
            writer.result();
        }
    }

    /** Only the lowest eight bits of the number are sent. Both directions are tested. */
    @Start.AtEach
    void onlyItsLowestByteCounts(Start start) throws Exception {
        start.sameAsJdk((ends, seen) -> {
            ends.near().setOOBInline(true);
            ends.far().setOOBInline(true);
            for (int value : new int[] {0, 255, 256, 256 + 'x', -1, Integer.MIN_VALUE + 'y', Integer.MAX_VALUE}) {
                seen.see("send " + value, () -> ends.near().sendUrgentData(value));
                seen.see("far", () -> ends.farIn().read());
                seen.see("send back", () -> ends.far().sendUrgentData(value));
                seen.see("near", () -> ends.in().read());
            }
        });
    }

    /** Some programs send an urgent byte that the peer does not read, to check whether the peer is still there. */
    @Start.AtEach
    void aHeartbeatGoesUnnoticed(Start start) throws Exception {
        start.sameAsJdk((ends, seen) -> {
            for (int i = 0; i < 20; i++) {
                ends.near().sendUrgentData(0xff);
                ends.far().sendUrgentData(0xff);
                ends.pair().pingPong();
            }
            seen.see("far has", () -> ends.farIn().available());
            ends.near().sendUrgentData(0xff);
            ends.near().shutdownOutput();
            seen.see("far", () -> ends.farIn().readAllBytes());
        });
    }

    /** With the JDK's sockets the call fails at the latest when the reset that an earlier urgent byte caused has come. */
    @Start.AtEach
    void aHeartbeatFailsWhenThePeerIsGone(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.far().close();
            assertEquals(-1, ends.in().read());
            IOException[] failure = {null};
            Await.until("an urgent byte fails", () -> {
                try {
                    ends.near().sendUrgentData(0xff);
                    return false;
                } catch (IOException e) {
                    failure[0] = e;
                    return true;
                }
            });
            assertEquals("java.io.IOException: Broken pipe", failure[0].toString());
        }
    }

    @Start.AtEach
    void afterAReset(Start start) throws Exception {
        start.sameAsJdk((ends, seen) -> {
            ends.far().setSoLinger(true, 0);
            ends.far().close();
            seen.see("first", () -> ends.near().sendUrgentData('a'));
            seen.see("second", () -> ends.near().sendUrgentData('b'));
        });
    }

    @Start.AtEach
    void onASocketThatIsShutOrClosed(Start start) throws Exception {
        start.sameAsJdk((ends, seen) -> {
            ends.far().setOOBInline(true);
            ends.near().shutdownInput();
            seen.see("input shut", () -> ends.near().sendUrgentData('a'));
            seen.see("far", () -> ends.farIn().read());
            ends.near().shutdownOutput();
            seen.see("output shut", () -> ends.near().sendUrgentData('b'));
            seen.see("far", () -> ends.farIn().read());
            ends.near().close();
            seen.see("closed", () -> ends.near().sendUrgentData('c'));
        });
    }

    /** The call does not fail, and the peer does not see the byte. */
    @Start.AtEach
    void toAPeerThatReadsNoMore(Start start) throws Exception {
        start.sameAsJdk((ends, seen) -> {
            ends.far().shutdownInput();
            seen.see("input shut there", () -> ends.near().sendUrgentData('a'));
            seen.see("far", () -> ends.farIn().available());
        });
    }

    @Side.AtEach
    void onASocketWithoutAConnection(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            try (Socket socket = new Socket()) {
                seen.see("new", () -> socket.sendUrgentData('a'));
                socket.bind(null);
                seen.see("bound", () -> socket.sendUrgentData('a'));
                socket.close();
                seen.see("closed", () -> socket.sendUrgentData('a'));
            }
            try (Socket socket = new Socket()) {
                socket.setOOBInline(true);
                seen.see("connect", () -> socket.connect(new InetSocketAddress("127.0.0.1", 0)));
                seen.see("failed", () -> socket.sendUrgentData('a'));
                seen.see("inline", socket::getOOBInline);
            }
        });
    }

    /** The acceptor sets the option before anything is sent, and the client before it connects. */
    @Side.AtEach
    void inPlaceFromTheFirstByteOn(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
                    Socket client = new Socket()) {
                client.setOOBInline(true);
                client.connect(listener.getLocalSocketAddress());
                try (Socket server = listener.accept()) {
                    seen.see("inherited", server::getOOBInline);
                    server.setOOBInline(true);
                    client.sendUrgentData('a');
                    seen.see("server", () -> server.getInputStream().read());
                    server.sendUrgentData('b');
                    seen.see("client", () -> client.getInputStream().read());
                }
            }
        });
    }

    /** The urgent byte waits for the writes before it, and for room. */
    @Start.AtEach
    void whenThereIsNoRoom(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.far().setOOBInline(true);
            int length = 16 << 20;
            Background<Void> writer = Background.run(() -> ends.out().write(Bytes.of(2, 0, length))).blocked();
            Background<Void> urgent = Background.run(() -> ends.near().sendUrgentData('!')).blocked();
            Bytes.expect(ends.farIn(), 2, 0, length);
            assertEquals('!', ends.farIn().read());
            writer.result();
            urgent.result();
        }
    }

    /** Over TCP an urgent byte takes as much of the buffers as a packet. */
    @Test
    void whenUrgentBytesHaveTakenAllRoom() throws Exception {
        try (Pair pair = Pair.fresh()) {
            pair.server.setOOBInline(true);
            AtomicBoolean enough = new AtomicBoolean();
            AtomicInteger sent = new AtomicInteger();
            Background<Void> sender = Background.run(() -> {
                while (!enough.get()) {
                    pair.client.sendUrgentData('!');
                    sent.incrementAndGet();
                }
                pair.client.shutdownOutput();
            });
            for (int before = -1; before != sent.get();) { // the sender may not have been waiting but just passing
                before = sent.get();
                sender.blocked();
            }
            enough.set(true);
            int received = pair.server.getInputStream().readAllBytes().length;
            sender.result();
            assertEquals(sent.get(), received);
        }
    }
}
