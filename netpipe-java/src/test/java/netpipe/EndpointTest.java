package netpipe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class EndpointTest {

    private static final int BUFFER_SIZE = 50_000;

    private final InetAddress loopback = InetAddress.getLoopbackAddress();

    @Test
    void bothEndsSendAtOnceAndHaveTheBuffersAskedFor() throws Exception {
        try (Endpoint.Listener listener = new Endpoint.Listener(new InetSocketAddress(loopback, 0), BUFFER_SIZE);
                Endpoint.Dialer dialer = new Endpoint.Dialer(loopback.getHostAddress(), listener.port(), BUFFER_SIZE);
                Socket dialed = dialer.open();
                Socket accepted = listener.open()) {
            for (Socket socket : new Socket[] {dialed, accepted}) {
                assertTrue(socket.getTcpNoDelay());
                assertEquals(BUFFER_SIZE, socket.getSendBufferSize());
                assertEquals(BUFFER_SIZE, socket.getReceiveBufferSize());
            }
        }
    }

    /** The transmitter may reconnect after a reset before the receiver is ready for it. */
    @Test
    void redialingWaitsForTheListener() throws Exception {
        InetSocketAddress address;
        try (Endpoint.Listener closed = new Endpoint.Listener(new InetSocketAddress(loopback, 0), 0)) {
            address = new InetSocketAddress(loopback, closed.port());
        }
        try (Endpoint.Dialer dialer = new Endpoint.Dialer(loopback.getHostAddress(), address.getPort(), 0)) {
            CompletableFuture<Socket> dialed = new CompletableFuture<>();
            Thread redialing = new Thread(() -> {
                try {
                    dialed.complete(dialer.reopen());
                } catch (IOException e) {
                    dialed.completeExceptionally(e);
                }
            });
            redialing.start();
            // The dialer is refused some times meanwhile, fewer times on a slow machine. A slow machine makes no false alarm.
            Thread.sleep(50);
            assertFalse(dialed.isDone(), () -> "gave up, or found a listener: " + dialed);
            try (Endpoint.Listener listener = new Endpoint.Listener(address, 0);
                    Socket accepted = listener.open();
                    Socket redialed = dialed.join()) {
                assertEquals(redialed.getLocalSocketAddress(), accepted.getRemoteSocketAddress());
            }
        }
    }
}
