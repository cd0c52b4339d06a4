package jfs.negotiation.handshake.remote;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import jfs.negotiation.handshake.Message;
import jfs.negotiation.handshake.StreamPrefix;
import jfs.negotiation.handshake.Tuple;
import jfs.negotiation.handshake.Versions;
import jfs.stat.Reason;
import jfs.testing.Background;
import jfs.testing.Effort;
import jfs.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A peer that has the key and sends anything. That ends its own conversation and disturbs no other one. */
class HostileHostsTest extends HostsOnLoopback {

    private static final byte[] AGREED = {1};

    /** Uncaught exceptions of JFS's threads, such as the one that serves all conversations. */
    private final Queue<Throwable> troubles = new ConcurrentLinkedQueue<>();
    private Thread.UncaughtExceptionHandler before;

    @BeforeEach
    void listenForTroubles() {
        before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, trouble) -> {
            if (thread.getName().startsWith("jfs-")) {
                troubles.add(trouble);
            }
        });
    }

    @AfterEach
    void thereWereNone() {
        Thread.setDefaultUncaughtExceptionHandler(before);
        assertEquals(List.of(), List.copyOf(troubles));
    }

    /** A conversation between two rendezvous. This object is one of them. */
    private final class Conversation implements AutoCloseable {
        private final Socket socket;
        private final Transcript.Speaker us;
        private final Transcript transcript;

        /** As a client, up to the point where it makes its offer. */
        Conversation(Process server) throws IOException {
            socket = connected(new Socket(LOOPBACK, firstPort));
            us = Transcript.Speaker.OFFERER;
            ByteBuffer hello = new HostMessage.Hello(HostMessage.VERSION, true, server.port,
                    new byte[HostMessage.NONCE_BYTES]).encode();
            transcript = new Transcript(KEY, hello);
            send(hello);
            assertTrue(HostMessage.isProof(transcript, receive()));
        }

        /** As a server, up to the point where it has an offer. */
        Conversation(ServerSocket rendezvous) throws IOException {
            socket = connected(rendezvous.accept());
            us = Transcript.Speaker.ACCEPTOR;
            transcript = new Transcript(KEY, receive());
            send(HostMessage.challenge(transcript, new byte[HostMessage.NONCE_BYTES]));
            hear();
        }

        private Socket connected(Socket it) throws SocketException {
            opened.add(it);
            it.setSoTimeout(30_000);
            return it;
        }

        private void send(ByteBuffer frame) throws IOException {
            byte[] bytes = new byte[2 + frame.remaining()];
            ByteBuffer.wrap(bytes).putShort((short) frame.remaining()).put(frame);
            socket.getOutputStream().write(bytes);
        }

        /** Reads a frame. Null if the peer hangs up instead, with or without a reset. */
        private ByteBuffer receive() throws IOException {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            try {
                byte[] frame = new byte[in.readUnsignedShort()];
                in.readFully(frame);
                return ByteBuffer.wrap(frame);
            } catch (EOFException | SocketException e) {
                return null;
            }
        }

        void say(byte[] payload) throws IOException {
            send(transcript.seal(us, ByteBuffer.wrap(payload)));
        }

        /** What the peer says, with its proof checked; null if it hangs up. */
        byte[] hear() throws IOException {
            ByteBuffer frame = receive();
            if (frame == null) {
                return null;
            }
            Transcript.Speaker peer = us == Transcript.Speaker.OFFERER ? Transcript.Speaker.ACCEPTOR
                    : Transcript.Speaker.OFFERER;
            ByteBuffer payload = transcript.open(peer, frame);
            return Arrays.copyOfRange(payload.array(), payload.position(), payload.limit());
        }

        void endSaying() throws IOException {
            try {
                socket.shutdownOutput();
            } catch (SocketException e) {
                // The peer has hung up.
            }
        }

        void awaitHangUp() throws IOException {
            while (receive() != null) {
                // frames that the peer has sent before
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static byte[] changed(byte[] example, Random random) {
        byte[] changed = Arrays.copyOf(example, switch (random.nextInt(4)) {
            case 0 -> random.nextInt(example.length);
            case 1 -> example.length + random.nextInt(600);
            default -> example.length;
        });
        for (int i = random.nextInt(4); i > 0 && changed.length > 0; i--) {
            changed[random.nextInt(changed.length)] = (byte) random.nextInt();
        }
        return changed;
    }

    private interface Round {
        void with(Random random) throws Exception;
    }

    private static void rounds(Round round) {
        long first = Long.getLong("test.seed", System.nanoTime());
        for (long seed = first; seed < first + Effort.rounds(100, 1_000); seed++) {
            try {
                round.with(Seeds.random(seed));
            } catch (Exception | AssertionError e) {
                throw new AssertionError("-Dtest.seed=" + seed, e);
            }
        }
    }

    /** A valid offer for this connection, except that no process holds what it offers. */
    private static byte[] offer(Ends ends, Conversation by) {
        ByteBuffer payload = ByteBuffer.allocate(HostMessage.MAX_BYTES);
        HostMessage.put(payload, ends.client().streamPrefix().seen(by.transcript::digest));
        payload.put(new Message.Offer(Versions.OURS, false, 42, Tuple.of(ends.client().tcp()), "mx",
                ByteBuffer.allocate(64)).encode());
        return Arrays.copyOf(payload.array(), payload.position());
    }

    private static byte[] answer(Message.Answer answer) {
        ByteBuffer message = answer.encode(Versions.OURS.newest());
        return ByteBuffer.allocate(1 + message.remaining()).put(HostMessage.ANSWER).put(message).array();
    }

    @Test
    void changedOffers() throws Exception {
        Process server = server("mx");
        Process client = client("mx");
        int[] heard = {0};
        rounds(random -> {
            Ends ends = connected(client, server);
            try (Conversation it = new Conversation(server)) {
                it.say(changed(offer(ends, it), random));
                it.endSaying();
                heard[0] += it.hear() != null ? 1 : 0;
            }
        });
        assertTrue(heard[0] > 0, "none is understood");
        assertEquals(0, server.transport.joins.get());
        assertEquals("mx mx", offered(client, server).outcome());
    }

    /** The first byte decides, and there must be one. */
    @Test
    void changedAgreements() throws Exception {
        Process server = server("mx");
        Process client = client("mx");
        rounds(random -> {
            Ends ends = connected(client, server);
            try (Conversation it = new Conversation(server)) {
                it.say(offer(ends, it));
                assertEquals(HostMessage.SEEN, it.hear()[0]);
                byte[] said = changed(AGREED, random);
                it.say(said);
                byte[] heard = it.hear();
                if (said.length == 0 || said.length > HostMessage.MAX_BYTES - HostKey.PROOF_BYTES) {
                    assertNull(heard);
                } else {
                    Reason reason = said[0] == 1 ? Reason.FAILED : Reason.ALTERED;
                    assertArrayEquals(answer(Message.Answer.declined(reason)), heard);
                    assertEquals(reason.name(), ends.server().outcome());
                }
            }
        });
        assertEquals(0, server.transport.joins.get());
        assertEquals("mx mx", offered(client, server).outcome());
    }

    /**
     * Wrong bytes take the place of what a server has seen, or of its answer. Each round has its own port, because the client remembers
     * failures. Each round also has its own rendezvous: a connection that nobody has accepted, because a stranger's was accepted in its
     * place, is not left to the next round, whose client would wait until its time is over.
     */
    @Test
    void changedAnswers() throws Exception {
        Process client = client("mx");
        rounds(random -> {
            ServerSocket listener = new ServerSocket(0, 8, LOOPBACK);
            opened.add(listener);
            Process server = new Process(KEY, "accept * * mx");
            server.port = listener.getLocalPort();
            try (ServerSocket rendezvous = new ServerSocket(firstPort, 8, LOOPBACK)) {
                Background<Void> lies = Background.run(() -> answerAnything(rendezvous, random));
                End end = client.connect(server);
                client.offer(end, server.port, false);
                assertNotEquals("mx", end.outcome());
                lies.result();
            }
        });
        assertEquals("mx mx", offered(client, server("mx")).outcome());
    }

    private void answerAnything(ServerSocket rendezvous, Random random) throws IOException {
        try (Conversation it = new Conversation(rendezvous)) {
            ByteBuffer seen = ByteBuffer.allocate(1 + 2 + HostKey.PROOF_BYTES).put(HostMessage.SEEN);
            HostMessage.put(seen, new StreamPrefix().seen(it.transcript::digest));
            boolean seenIsGood = random.nextBoolean();
            it.say(seenIsGood ? seen.array() : changed(seen.array(), random));
            if (seenIsGood) {
                assertArrayEquals(AGREED, it.hear());
            }
            it.say(changed(answer(Message.Answer.declined(Reason.PEER_BUSY)), random));
            it.endSaying();
            it.awaitHangUp();
        } catch (SocketException e) {
            // The client has hung up.
        }
    }
}
