package jfs.negotiation.handshake.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import jfs.nativelib.Posix;
import jfs.negotiation.handshake.Tuple;
import jfs.negotiation.policy.MappedAddress;
import jfs.procfs.Descriptors;
import jfs.procfs.TcpTable;
import jfs.testing.Natives;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The owner of an end of a TCP connection: the kernel's answer for one socket agrees with the row of its list. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TcpOwnersTest {

    @BeforeAll
    static void loadNatives() {
        Natives.load();
    }

    /** A connection of channels. The test chooses the families of its sockets. */
    private static final class Ends implements AutoCloseable {
        final ServerSocketChannel listener;
        final SocketChannel client;
        SocketChannel server;
        final Tuple ofClient;

        Ends(ProtocolFamily listening, ProtocolFamily connecting, InetAddress address) throws IOException {
            listener = ServerSocketChannel.open(listening);
            listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            listener.bind(new InetSocketAddress(address, 0));
            client = SocketChannel.open(connecting);
            client.connect(listener.getLocalAddress());
            ofClient = tuple(client);
        }

        Ends accepted() throws IOException {
            server = listener.accept();
            return this;
        }

        @Override
        public void close() throws IOException {
            client.close();
            if (server != null) {
                server.close();
            }
            listener.close();
        }
    }

    private static Ends ends(InetAddress address) throws IOException {
        ProtocolFamily family =
                address instanceof Inet4Address ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6;
        return new Ends(family, family, address).accepted();
    }

    private static Tuple tuple(SocketChannel end) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Tuple.BYTES);
        for (var address : new Object[] {end.getLocalAddress(), end.getRemoteAddress()}) {
            InetSocketAddress it = (InetSocketAddress) address;
            int scope = it.getAddress() instanceof Inet6Address v6 ? v6.getScopeId() : 0;
            bytes.put(MappedAddress.of(it.getAddress())).putInt(scope).putInt(it.getPort());
        }
        return Tuple.read(bytes.flip());
    }

    /** The kernel's answer for that one socket, without its list. */
    private static TcpOwners.Owner asked(Tuple end) {
        long[] owner = new long[3];
        int status = Posix.tcpOwner(end.toBytes(), owner);
        assertTrue(status == 0 || status == -Posix.ENOENT || status == -Posix.ESRCH, () -> Posix.errorText(-status));
        return status == 0 ? new TcpOwners.Owner(owner[0], owner[1], owner[2]) : null;
    }

    /** The owner. All ways must give the same one; null if there is none. */
    private static TcpOwners.Owner owner(Tuple end) throws IOException {
        TcpOwners.Owner it = asked(end);
        assertEquals(TcpOwners.listed(end), it == null ? null : new TcpOwners.Owner(it.user(), it.inode(), 0));
        assertEquals(it, TcpOwners.of(end));
        return it;
    }

    private static void areOurs(Ends ends) throws IOException {
        int self = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        for (Tuple end : new Tuple[] {ends.ofClient, tuple(ends.server)}) {
            TcpOwners.Owner it = owner(end);
            assertNotNull(it, "an end has no owner");
            assertEquals(self, it.user());
            assertTrue(Descriptors.sockets().containsValue(it.inode()), "inode " + it.inode());
        }
        assertEquals(tuple(ends.server), ends.ofClient.reversed());
        assertNotEquals(owner(ends.ofClient), owner(ends.ofClient.reversed()));
    }

    /** The families of the listening and of the connecting socket. INET6 with an IPv4 address is a mapped address. */
    @ParameterizedTest
    @CsvSource({
        "INET,  INET,  127.0.0.1",
        "INET6, INET,  127.0.0.1",
        "INET,  INET6, 127.0.0.1",
        "INET6, INET6, 127.0.0.1",
        "INET6, INET6, ::1",
    })
    void theKernelKnowsWhoOwnsAnEnd(StandardProtocolFamily listening, StandardProtocolFamily connecting, String address)
            throws Exception {
        try (Ends ends = new Ends(listening, connecting, InetAddress.getByName(address)).accepted()) {
            areOurs(ends);
        }
    }

    @Test
    void linkLocalAddresses() throws Exception {
        Optional<InetAddress> address = NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses)
                .filter(it -> it instanceof Inet6Address && it.isLinkLocalAddress()).findFirst();
        assumeTrue(address.isPresent(), "no interface has a link-local address");
        try (Ends ends = ends(address.get())) {
            areOurs(ends);
        }
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1", "::1"})
    void aConnectionThatIsNotAcceptedYet(String address) throws Exception {
        InetAddress loopback = InetAddress.getByName(address);
        try (Ends ends = new Ends(StandardProtocolFamily.INET6, StandardProtocolFamily.INET6, loopback)) {
            assertEquals(0, owner(ends.ofClient.reversed()).inode());
            assertNotEquals(0, owner(ends.ofClient).inode());
            ends.accepted();
            assertNotEquals(0, owner(ends.ofClient.reversed()).inode());
        }
    }

    /** The kernel itself would answer with the listener. */
    @ParameterizedTest
    @CsvSource({"127.0.0.1", "::1"})
    void aPortThatNobodyHasConnectedFrom(String address) throws Exception {
        try (Ends ends = ends(InetAddress.getByName(address))) {
            ByteBuffer bytes = ByteBuffer.wrap(ends.ofClient.reversed().toBytes());
            bytes.putInt(Tuple.BYTES - 4, 1);
            assertNull(owner(Tuple.read(bytes)));
        }
    }

    /** The end that has closed first is in TIME_WAIT, and the other one is gone. The listener is still there. */
    @ParameterizedTest
    @CsvSource({"127.0.0.1", "::1"})
    void aConnectionThatIsClosed(String address) throws Exception {
        try (Ends ends = ends(InetAddress.getByName(address))) {
            ends.client.close();
            assertEquals(-1, ends.server.read(ByteBuffer.allocate(1)));
            assertNull(owner(ends.ofClient));
            assertNull(owner(ends.ofClient.reversed()), "it is not established any more");
            ends.server.close();
            int timeWait = 6;
            TcpTable.Row row = TcpTable.find(it -> ends.ofClient.connects(it.local(), it.localPort(), it.remote(),
                    it.remotePort()));
            assertEquals(timeWait, row.state());
            assertNull(owner(ends.ofClient));
            assertNull(owner(ends.ofClient.reversed()));
        }
    }

    @Test
    void whatIsNoTuple() {
        assertEquals(-Posix.EINVAL, Posix.tcpOwner(new byte[Tuple.BYTES - 1], new long[3]));
        assertEquals(-Posix.EINVAL, Posix.tcpOwner(new byte[Tuple.BYTES], new long[2]));
    }
}
