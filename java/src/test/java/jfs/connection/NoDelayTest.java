package jfs.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import jfs.transport.tcp.NioSocket;
import jfs.transport.tcp.TcpSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The kernel has TCP_NODELAY on while there is a path beside TCP, otherwise the program's value. The program reads its own value. */
class NoDelayTest {

    private ServerSocket listener;
    private TcpSocket tcp;
    private Connection connection;
    private final NotedPath noted = new NotedPath();

    @BeforeEach
    void connect() throws IOException {
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        tcp = NioSocket.of(TcpSocket.Use.DIRECT_CLIENT);
        tcp.create(true);
        tcp.connect(listener.getLocalSocketAddress(), 0);
        tcp.connected(false);
        connection = new Connection(new Alone(), tcp, 0);
        connection.begin();
    }

    @AfterEach
    void close() throws IOException {
        connection.close();
        listener.close();
    }

    private boolean attach() {
        return connection.candidate() != null && connection.attach(noted.path());
    }

    private void assertNoDelay(boolean programs, boolean kernels) throws IOException {
        assertEquals(programs, connection.getOption(StandardSocketOptions.TCP_NODELAY));
        assertEquals(programs, connection.getOption(SocketOptions.TCP_NODELAY));
        assertEquals(kernels, tcp.getOption(StandardSocketOptions.TCP_NODELAY));
    }

    @Test
    void theKernelHasItOnWhileThereIsAPath() throws IOException {
        assertNoDelay(false, false);
        assertTrue(attach());
        assertNoDelay(false, true);
        connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
        assertNoDelay(true, true);
        connection.setOption(SocketOptions.TCP_NODELAY, false);
        assertNoDelay(false, true);
        connection.refuseIfPathIsUnused();
        assertNoDelay(false, true);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void itIsTheProgramsAgainWhereTheConnectionStaysOnTcp(boolean on) throws IOException {
        attach();
        connection.setOption(StandardSocketOptions.TCP_NODELAY, on);
        noted.whyUnused = "it has failed";
        connection.refuseIfPathIsUnused();
        assertNoDelay(on, on);
        connection.setOption(SocketOptions.TCP_NODELAY, !on);
        assertNoDelay(!on, !on);
    }

    @Test
    void aRefusedValueChangesNothing() throws IOException {
        attach();
        connection.setOption(SocketOptions.TCP_NODELAY, true);
        assertThrows(SocketException.class, () -> connection.setOption(SocketOptions.TCP_NODELAY, "off"));
        assertThrows(IllegalArgumentException.class, () -> connection.setOption(StandardSocketOptions.TCP_NODELAY, null));
        assertNoDelay(true, true);
    }

    @Test
    void aClosedSocketGetsNoPath() throws IOException {
        connection.close();
        assertFalse(attach());
        assertThrows(SocketException.class, () -> connection.getOption(SocketOptions.TCP_NODELAY));
    }
}
