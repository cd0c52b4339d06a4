package jfs.negotiation.handshake.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import jfs.GivenTransport;
import jfs.config.Settings;
import jfs.config.Transports;
import jfs.nativelib.Posix;
import jfs.negotiation.Negotiator;
import jfs.negotiation.handshake.Tuple;
import jfs.negotiation.policy.MappedAddress;
import jfs.negotiation.policy.Policy;
import jfs.negotiation.policy.Rules;
import jfs.spi.NoResourcesException;
import jfs.spi.TransportProvider;
import jfs.testing.FreePorts;
import jfs.testing.Natives;
import jfs.transport.BuiltIn;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** Processes that run JFS, each on its own host as far as JFS knows, and their negotiation over loopback. */
@Timeout(120)
abstract class HostsOnLoopback {

    static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    static final int PORTS = 4;
    static final HostKey KEY = new HostKey(new byte[32]);

    final List<AutoCloseable> opened = new ArrayList<>();
    int firstPort;

    @BeforeAll
    static void loadNatives() {
        Natives.load();
    }

    @BeforeEach
    void choosePorts() {
        firstPort = FreePorts.firstOf(PORTS);
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable it : opened) {
            it.close();
        }
    }

    private static int freePort() throws Exception {
        try (ServerSocket it = new ServerSocket(0, 1, LOOPBACK)) {
            return it.getLocalPort();
        }
    }

    /** A process that runs JFS. */
    final class Process {
        final Recorded transport = new Recorded();
        final Negotiator negotiator;
        final InetAddress address;
        private final Policy policy;
        int port;
        private int listener = -1;
        private Negotiator.Listening listening;

        Process(HostKey key, String... rules) {
            this(LOOPBACK, key, rules);
        }

        /** A process whose address makes it look like one on its own host. */
        Process(InetAddress address, HostKey key, String... rules) {
            this.address = address;
            Settings settings = Settings.read(new Properties(), Map.of());
            List<TransportProvider> transports =
                    List.of(Transports.named(BuiltIn.TRANSPORTS, "sci"), new GivenTransport(transport, null));
            policy = Policy.of(new Transports(transports, transports, null, settings.pollMicros(), settings.allowedUsers()),
                    Rules.parse("/rules", List.of(rules), transports, InetAddress::getAllByName), null);
            Hosts hosts = new Hosts(MappedAddress.of(address), firstPort, firstPort + PORTS - 1, key);
            negotiator = new Negotiator(settings, policy, hosts);
        }

        /** Makes its program listen on a port. */
        Process listening() throws Exception {
            port = freePort();
            listener = Posix.tcpListen(MappedAddress.of(address), port, 8);
            assertTrue(listener >= 0);
            opened.add(() -> Posix.close(listener));
            listening = negotiator.listening(this, address, port);
            opened.add(listening::close);
            return this;
        }

        End connect(Process to) {
            byte[] both = new byte[Posix.TUPLE_BYTES];
            System.arraycopy(MappedAddress.of(address), 0, both, 0, 16);
            System.arraycopy(MappedAddress.of(to.address), 0, both, 24, 16);
            int fd = Posix.tcpConnect(both, to.port);
            assertEquals(Posix.POLLOUT, Posix.poll(fd, Posix.POLLOUT, -1, 0, 30_000));
            return keep(new End(fd));
        }

        End accept() {
            assertEquals(Posix.POLLIN, Posix.poll(listener, Posix.POLLIN, -1, 0, 30_000));
            return keep(new End(Posix.accept(listener)));
        }

        /** Registers an accepted end, so that offers find it. */
        void register(End end, int remotePort) {
            try {
                listening.awaitOffers(end, policy.accepting(LOOPBACK, port), remotePort, port);
            } catch (NoResourcesException e) {
                throw new AssertionError(e);
            }
        }

        void offer(End end, int to, boolean early) {
            negotiator.offer(end, policy.connecting(LOOPBACK, to), early);
        }

        private End keep(End end) {
            opened.add(end);
            return end;
        }
    }

    /** Two ends that have exchanged bytes. */
    record Ends(End client, End server) {

        String outcome() throws Exception {
            return client.outcome() + " " + (server.isDecided() ? server.outcome() : "none");
        }
    }

    static int localPort(End end) {
        return Tuple.of(end.tcp()).localPort();
    }

    static Ends connected(Process client, Process server) {
        End near = client.connect(server);
        End far = server.accept();
        server.register(far, localPort(near));
        near.sentTo(far, "a question");
        far.sentTo(near, "an answer");
        return new Ends(near, far);
    }

    static Ends offered(Process client, Process server) {
        Ends ends = connected(client, server);
        client.offer(ends.client(), server.port, false);
        return ends;
    }

    Process server(String options) throws Exception {
        return new Process(KEY, "accept 127.0.0.1 * " + options).listening();
    }

    Process client(String options) {
        return new Process(KEY, "connect 127.0.0.1 * " + options);
    }
}
