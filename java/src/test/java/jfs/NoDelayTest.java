package jfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import jfs.negotiation.policy.Choice;
import jfs.spi.FastPath;
import jfs.transport.tcp.TcpSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The kernel has TCP_NODELAY on while there is a path beside TCP, otherwise the program's value. The program reads its own value. */
class NoDelayTest {

    private ServerSocket listener;
    private JFSSocketImpl socket;
    /** A second candidacy of the socket, beside the one that the socket has itself. */
    private Candidacy candidacy;
    private String whyUnused;

    @BeforeEach
    void connect() throws IOException {
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        socket = new JFSSocketImpl(Installation.get(), TcpSocket.Use.DIRECT_CLIENT);
        socket.create(true);
        socket.connect(listener.getInetAddress(), listener.getLocalPort());
        candidacy = new Candidacy(socket, Installation.get(), Choice.of(null, false), null);
    }

    @AfterEach
    void close() throws IOException {
        socket.close();
        listener.close();
    }

    private boolean attach() {
        return candidacy.attach((FastPath) Proxy.newProxyInstance(FastPath.class.getClassLoader(),
                new Class<?>[] {FastPath.class}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "transport" -> "sci";
                    case "whyUnused" -> whyUnused;
                    default -> throw new AssertionError(method);
                }));
    }

    private void assertNoDelay(boolean programs, boolean kernels) throws IOException {
        assertEquals(programs, socket.getOption(StandardSocketOptions.TCP_NODELAY));
        assertEquals(programs, socket.getOption(SocketOptions.TCP_NODELAY));
        assertEquals(kernels, socket.tcp().getOption(StandardSocketOptions.TCP_NODELAY));
    }

    @Test
    void theKernelHasItOnWhileThereIsAPath() throws IOException {
        assertNoDelay(false, false);
        assertTrue(attach());
        assertNoDelay(false, true);
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        assertNoDelay(true, true);
        socket.setOption(SocketOptions.TCP_NODELAY, false);
        assertNoDelay(false, true);
        candidacy.lookAtPath(false);
        assertNoDelay(false, true);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void itIsTheProgramsAgainWhereTheConnectionStaysOnTcp(boolean on) throws IOException {
        attach();
        socket.setOption(StandardSocketOptions.TCP_NODELAY, on);
        whyUnused = "it has failed";
        candidacy.lookAtPath(false);
        assertNoDelay(on, on);
        socket.setOption(SocketOptions.TCP_NODELAY, !on);
        assertNoDelay(!on, !on);
    }

    @Test
    void aRefusedValueChangesNothing() throws IOException {
        attach();
        socket.setOption(SocketOptions.TCP_NODELAY, true);
        assertThrows(SocketException.class, () -> socket.setOption(SocketOptions.TCP_NODELAY, "off"));
        assertThrows(IllegalArgumentException.class, () -> socket.setOption(StandardSocketOptions.TCP_NODELAY, null));
        assertNoDelay(true, true);
    }

    @Test
    void aClosedSocketGetsNoPath() throws IOException {
        socket.close();
        assertFalse(attach());
        assertThrows(SocketException.class, () -> socket.getOption(SocketOptions.TCP_NODELAY));
    }
}
