package jfs.negotiation.handshake.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Strangers who connect to the rendezvous between hosts: what they get, and that other clients are served. */
class StrangeHostsTest extends HostsOnLoopback {

    private Socket raw() throws Exception {
        Socket it = new Socket(LOOPBACK, firstPort);
        it.setSoTimeout(30_000);
        opened.add(it);
        return it;
    }

    /** The number of bytes that come until the rendezvous hangs up, with or without a reset. */
    private static int untilHungUp(Socket it) throws Exception {
        InputStream in = it.getInputStream();
        int count = 0;
        try {
            while (in.read() >= 0) {
                count++;
            }
        } catch (SocketException e) {
            // A reset: the rendezvous had not read everything.
        }
        return count;
    }

    @Test
    void aHostThatNoRuleNamesGetsNoByte() throws Exception {
        new Process(KEY, "accept 10.0.0.0/8 * mx", "accept 127.0.0.1 * sci", "connect 127.0.0.1 * mx").listening();
        Socket it = raw();
        it.getOutputStream().write(hello(1, true, 80));
        assertEquals(0, untilHungUp(it));
    }

    private static byte[] hello(int version, boolean keyed, int port) {
        ByteBuffer hello = new HostMessage.Hello(version, keyed, port, new byte[HostMessage.NONCE_BYTES]).encode();
        return ByteBuffer.allocate(2 + hello.remaining()).putShort((short) hello.remaining()).put(hello).array();
    }

    @ParameterizedTest
    @CsvSource({"2, true, VERSION", "1, false, WRONG_KEY"})
    void aGreetingThatIsRefused(int version, boolean keyed, String reason) throws Exception {
        Process server = server("mx");
        Socket it = raw();
        it.getOutputStream().write(hello(version, keyed, server.port));
        assertEquals("\0" + (char) (1 + reason.length()) + "\1" + reason,
                new String(it.getInputStream().readAllBytes(), "ISO-8859-1"));
    }

    /** The rendezvous hangs up on any nonsense. It serves others meanwhile and afterwards. */
    @Test
    void nonsense() throws Exception {
        Process server = server("mx");
        Random random = new Random(7);
        byte[] hello = hello(1, true, server.port);
        for (int i = 0; i < 200; i++) {
            byte[] bytes = new byte[1 + random.nextInt(700)];
            random.nextBytes(bytes);
            if (i % 4 == 1) { // a frame with nonsense in it
                bytes = ByteBuffer.allocate(2 + i) .putShort((short) i).array();
            } else if (i % 4 == 2) { // two frames at the same time
                bytes = ByteBuffer.allocate(2 * hello.length).put(hello).put(hello).array();
            }
            Socket it = raw();
            try {
                it.getOutputStream().write(bytes);
                it.getOutputStream().write(hello);
                it.shutdownOutput();
            } catch (SocketException e) {
                // The rendezvous has hung up in the middle.
            }
            untilHungUp(it);
        }
        assertEquals("mx mx", offered(client("mx"), server).outcome());
    }

    /** After the greeting an offer without the key gets no answer. */
    @Test
    void anOfferWithoutTheKey() throws Exception {
        Process server = server("mx");
        Socket it = raw();
        it.getOutputStream().write(hello(1, true, server.port));
        assertEquals(2 + 65, it.getInputStream().readNBytes(2 + 65).length);
        it.getOutputStream().write(ByteBuffer.allocate(2 + 200).putShort((short) 200).array());
        assertEquals(0, untilHungUp(it));
        assertEquals(0, server.transport.joins.get());
    }

    /** A client that keeps hundreds of silent connections open displaces its own. */
    @Test
    void ofTooManyVisitorsTheFirstAreHungUpOn() throws Exception {
        Process server = server("mx");
        List<Socket> crowd = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            crowd.add(raw());
        }
        assertEquals(0, untilHungUp(crowd.get(0)), "the first ones have to go");
        assertEquals("mx mx", offered(client("mx"), server).outcome());
        assertFalse(crowd.get(299).isClosed());
    }
}
