package netpipe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The integrity check must fail where bytes are wrong. */
@Timeout(20)
class IntegrityTest {

    /** The position of the first message. Syncs, the estimate of 100 messages of 5 bytes, and the repeat count go before it. */
    private static final int FIRST_MESSAGE = 6 + 100 * 5 + 6 + 6 + 4 + 6;
    private static final int NOWHERE = -1;

    @TempDir
    private Path folder;

    @Test
    void aByteChangedOnTheWayThereIsReportedByTheReceiver() throws Exception {
        Run[] runs = throughRelay(FIRST_MESSAGE + 1, NOWHERE);
        assertEquals(1, runs[0].exitCode());
        assertTrue(runs[0].err().contains("Integrity check failed: Expecting 0 but received "), runs[0]::err);
        assertEquals(1, runs[1].exitCode(), "the transmitter cannot go on");
    }

    /** There is no repeat count, of 4 bytes, before the answers. */
    @Test
    void aByteChangedOnTheWayBackIsReportedByTheTransmitter() throws Exception {
        Run[] runs = throughRelay(NOWHERE, FIRST_MESSAGE - 4 + 3);
        assertEquals(1, runs[1].exitCode());
        assertTrue(runs[1].err().contains("Integrity check failed: Expecting 0 but received "), runs[1]::err);
        assertEquals(1, runs[0].exitCode(), "the receiver cannot go on");
    }

    @Test
    void theRelayAloneChangesNothing() throws Exception {
        Run[] runs = throughRelay(NOWHERE, NOWHERE);
        assertEquals(0, runs[0].exitCode(), runs[0]::err);
        assertEquals(0, runs[1].exitCode(), runs[1]::err);
    }

    /** A receive that claims bytes it has not written must not find the bytes of the message before. */
    @Test
    void whatIsLeftFromBeforeDoesNotPass() {
        Buffers buffers = new Buffers(true, 0, 0);
        buffers.resize(9);
        buffers.fill();
        buffers.wipe();
        assertThrows(IntegrityException.class, buffers::verify);
    }

    /** Runs a receiver and a transmitter with a byte flipped at the given positions of the two directions. */
    private Run[] throughRelay(int flipThere, int flipBack) throws Exception {
        try (ServerSocket relay = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Run receiver = Run.receiver("-i", "-n", "20", "-u", "40");
            Run transmitter = Run.transmitter(relay.getLocalPort(), "-i", "-n", "20", "-u", "40", "-o",
                    folder.resolve("np.out").toString());
            try (Socket near = relay.accept(); Socket far = new Socket("127.0.0.1", receiver.port())) {
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                Thread back = new Thread(() -> pump(far, near, flipBack), "relay");
                back.start();
                pump(near, far, flipThere);
                back.join();
            }
            return new Run[] {receiver, transmitter};
        }
    }

    private static void pump(Socket from, Socket to, int flip) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[4096];
            int position = 0;
            int count;
            while ((count = in.read(buffer)) >= 0) {
                if (flip >= position && flip < position + count) {
                    buffer[flip - position] ^= 0x10;
                }
                out.write(buffer, 0, count);
                position += count;
            }
            to.shutdownOutput();
        } catch (IOException e) {
            // One of the ends has given up. Both connections are closed, so that the other end learns of it.
            close(from);
            close(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
