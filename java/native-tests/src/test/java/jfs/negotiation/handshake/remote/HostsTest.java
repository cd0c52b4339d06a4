package jfs.negotiation.handshake.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import jfs.testing.Await;
import jfs.testing.Background;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rendezvous between hosts: which connections get a fast path, and which of several processes is found. */
class HostsTest extends HostsOnLoopback {

    private static final HostKey OTHER_KEY = new HostKey("another key, for other hosts".getBytes());

    @ParameterizedTest
    @CsvSource({"mx, mx, mx mx", "mx trusted, mx trusted, mx mx", "mx, mx trusted, WRONG_KEY none",
        "mx trusted, mx, WRONG_KEY none"})
    void rules(String clients, String servers, String outcome) throws Exception {
        Process client = client(clients);
        Process server = server(servers);
        assertEquals(outcome, offered(client, server).outcome());
        assertEquals(outcome.equals("mx mx") ? 1 : 0, client.transport.offers.get());
        assertEquals(outcome.equals("mx mx") ? 1 : 0, server.transport.joins.get());
        assertEquals(0, client.transport.abandoned.get());
    }

    @Test
    void anotherKey() throws Exception {
        Process client = new Process(OTHER_KEY, "connect * * mx");
        assertEquals("WRONG_KEY none", offered(client, server("mx")).outcome());
        assertEquals(0, client.transport.offers.get(), "who does not prove himself hears nothing of the connection");
    }

    /** This is the meaning of "trusted". */
    @Test
    void anotherKeyBetweenThoseWhoTrust() throws Exception {
        assertEquals("mx mx", offered(new Process(OTHER_KEY, "connect * * mx trusted"), server("mx trusted")).outcome());
    }

    @Test
    void noRuleThere() throws Exception {
        Process server = new Process(KEY, "accept 127.0.0.1 1 mx").listening();
        assertEquals("NO_RENDEZVOUS none", offered(client("mx"), server).outcome());
    }

    @Test
    void noRuleForThatPort() throws Exception {
        server("mx");
        Process server = new Process(KEY, "accept 127.0.0.1 1 mx", "accept * * sci").listening();
        assertEquals("TRANSLATED none", offered(client("mx"), server).outcome(), "another process there can't know");
    }

    @Test
    void itIsNotAccepted() throws Exception {
        Process server = server("mx");
        Process client = client("mx");
        End end = client.connect(server);
        client.offer(end, server.port, false);
        assertEquals("TRANSLATED", end.outcome());
        assertEquals(1, client.transport.abandoned.get());
    }

    @Test
    void itIsAcceptedLater() throws Exception {
        Process server = server("mx");
        Process client = client("mx");
        End near = client.connect(server);
        client.offer(near, server.port, true);
        Await.until("an offer is made", () -> client.transport.offers.get() >= 1); // each process that is asked gets another offer
        End far = server.accept();
        server.register(far, localPort(near));
        assertEquals("mx mx", new Ends(near, far).outcome());
    }

    /** Another process of that host is asked first. It does not wait for a connection that it will never accept. */
    @Test
    void itIsAcceptedLaterByAnotherProcess() throws Exception {
        server("mx");
        itIsAcceptedLater();
    }

    // ---- NEG-6 ----

    @Test
    void whatTheServerReceivedIsNotWhatWasSent() throws Exception {
        Process client = client("mx");
        Process server = server("mx");
        End near = client.connect(server);
        End far = server.accept();
        server.register(far, localPort(near));
        near.sentTo(far, "GET /", "PROXY TCP4 10.0.0.1\r\nGET /");
        far.sentTo(near, "an answer");
        client.offer(near, server.port, false);
        assertEquals("ALTERED", near.outcome());
        assertEquals("ALTERED", far.outcome());
        assertEquals(0, server.transport.joins.get());
        assertEquals(1, client.transport.abandoned.get());
    }

    @Test
    void whatTheClientReceivedIsNotWhatWasSent() throws Exception {
        Process client = client("mx");
        Process server = server("mx");
        End near = client.connect(server);
        End far = server.accept();
        server.register(far, localPort(near));
        near.sentTo(far, "a question");
        far.sentTo(near, "an answer", "an Answer");
        client.offer(near, server.port, false);
        assertEquals("ALTERED", near.outcome());
        assertEquals("ALTERED", far.outcome());
        assertEquals(0, server.transport.joins.get());
    }

    @Test
    void whatIsUnderWayIsNoDifference() throws Exception {
        Process client = client("mx");
        Process server = server("mx");
        End near = client.connect(server);
        End far = server.accept();
        server.register(far, localPort(near));
        near.sentTo(far, "a question, and another", "a quest");
        far.sentTo(near, "an answer", "");
        client.offer(near, server.port, false);
        assertEquals("mx", near.outcome());
        assertEquals("mx", far.outcome());
    }

    // ---- several processes on a host ----

    @Test
    void eachOfSeveralProcessesIsFound() throws Exception {
        List<Process> servers = List.of(server("mx"), server("mx"), server("mx"), server("mx"));
        Process client = client("mx");
        for (int round = 0; round < 2; round++) {
            for (Process server : servers) {
                assertEquals("mx mx", offered(client, server).outcome());
            }
        }
    }

    @Test
    void aServerWithoutAFreePortIsNotFound() throws Exception {
        for (int i = 0; i < PORTS; i++) {
            server("mx");
        }
        assertEquals("TRANSLATED NO_RENDEZVOUS", offered(client("mx"), server("mx")).outcome());
    }

    /** Another program has the first port. It gets a greeting, and nothing about the connection. */
    @Test
    void aStranger() throws Exception {
        try (ServerSocket stranger = new ServerSocket(firstPort, 8, LOOPBACK)) {
            Process server = server("mx");
            Background<Integer> heard = Background.call(() -> {
                try (Socket it = stranger.accept()) {
                    byte[] frame = it.getInputStream().readNBytes(2 + 40);
                    it.getOutputStream().write(new byte[2 + 65]); // a challenge that proves nothing
                    it.setSoTimeout(30_000);
                    return frame.length + it.getInputStream().readAllBytes().length;
                }
            });
            assertEquals("mx mx", offered(client("mx"), server).outcome());
            assertEquals(42, heard.result());
        }
    }

    /** Another process is asked first and just ends. That says nothing about which process has the connection. */
    @Test
    void aProcessThatHangsUpOnTheOffer() throws Exception {
        try (ServerSocket ending = new ServerSocket(firstPort, 8, LOOPBACK)) {
            Process server = server("mx");
            Background<Void> hangingUp = Background.run(() -> hangUpOnTheOffer(ending));
            assertEquals("mx mx", offered(client("mx"), server).outcome());
            hangingUp.result();
        }
    }

    /**
     * The process that hangs up is the only one, or other processes that are asked before or after it don't have the
     * connection. The reason is HUNG_UP in any case, because there was some answer in time.
     */
    @ParameterizedTest
    @CsvSource({"0, 0", "0, 1", "1, 0"})
    void aHangUpIsTheReasonIfNoOtherProcessHasTheListener(int before, int after) throws Exception {
        try (ServerSocket ending = new ServerSocket(firstPort + before, 8, LOOPBACK)) {
            for (int i = 0; i < before + after; i++) {
                server("mx");
            }
            Process nobody = new Process(KEY, "accept 127.0.0.1 1 mx").listening();
            Background<Void> hangingUp = Background.run(() -> hangUpOnTheOffer(ending));
            assertEquals("HUNG_UP none", offered(client("mx"), nobody).outcome());
            hangingUp.result();
        }
    }

    /** Proves that it has the key, takes an offer, and hangs up. */
    private static void hangUpOnTheOffer(ServerSocket port) throws IOException {
        try (Socket it = port.accept()) {
            DataInputStream in = new DataInputStream(it.getInputStream());
            DataOutputStream out = new DataOutputStream(it.getOutputStream());
            byte[] hello = in.readNBytes(in.readUnsignedShort());
            Transcript transcript = new Transcript(KEY, ByteBuffer.wrap(hello));
            ByteBuffer challenge = HostMessage.challenge(transcript, new byte[HostMessage.NONCE_BYTES]);
            out.writeShort(challenge.remaining());
            out.write(challenge.array(), 0, challenge.remaining());
            out.flush();
            in.readNBytes(in.readUnsignedShort());
        }
    }

    @Test
    void aHostWithoutTheListenerIsNotAskedAgainForAWhile() throws Exception {
        Process nobody = new Process(KEY, "accept 127.0.0.1 1 mx").listening();
        Process client = client("mx");
        assertEquals("NO_RENDEZVOUS none", offered(client, nobody).outcome());
        assertEquals("NO_RENDEZVOUS none", offered(client, server("mx")).outcome(), "it has just come");
        assertEquals("mx mx", offered(client("mx"), server("mx")).outcome());
    }
}
