package jfs.conformance.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jfs.conformance.harness.processes.Child;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two processes in network namespaces of one host that share all else: IPC, {@code /dev/shm}, users, PIDs. UCX may choose its
 * transports. Shared memory would work, but UCX can't wake a process that sleeps at it in another network namespace. So the
 * bytes go over the wire. Within each namespace they go over shared memory.
 */
class NetworkNamespacesTest extends MxHosts {

    private static final int MUCH = 5_000_000;

    private Child client;
    private Child server;

    @Override
    Child.Start transports(Child.Start start) {
        return start.under("env", "-u", "UCX_TLS");
    }

    @BeforeEach
    void switched() throws Exception {
        client = client();
        server = server();
        new TwoHosts(client, server);
        connectAndSwitch(client, server);
    }

    @Test
    void overTheWire() throws Exception {
        long before = TwoHosts.bytesReceived(server);
        Child.Order read = server.begin("read 1 " + MUCH);
        client.begin("write 1 " + MUCH).isDone();
        read.isDone();
        long received = TwoHosts.bytesReceived(server) - before;
        assertTrue(received >= MUCH, () -> received + " bytes of " + MUCH + " came over the wire");
        talkAboutEverything(client, server);
        assertEquals("{}", client.fallbacks());
        assertEquals("{}", server.fallbacks());
    }

    /** After a kill -9 the peer gets an error, and does not take the death for an end (END-5). */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void killed(boolean theClient) {
        Child victim = theClient ? client : server;
        Child survivor = theClient ? server : client;
        victim.begin("write 1 1000").isDone();
        Child.Order read = survivor.begin("read 1 1001").blocked();
        victim.kill();
        assertEquals("java.net.SocketException: Connection reset", read.result());
    }

    /** Beside the connection over MX, one over shared memory between two processes of one namespace. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void overSharedMemoryWithin(boolean theClients) throws Exception {
        Child host = theClients ? client : server;
        Child neighbour = start(TwoHosts.beside(host, Child.jfs().with("-Djfs.log=all")));
        Child other = start(TwoHosts.beside(host, Child.jfs()));
        long before = TwoHosts.bytesReceived(host);
        connect(neighbour, other);
        converse(neighbour, other);
        assertTrue(neighbour.log().contains(" over sci"), neighbour.log());
        talkAboutEverything(neighbour, other);
        long received = TwoHosts.bytesReceived(host) - before;
        assertTrue(received < MUCH / 10, () -> received + " bytes came over the wire");
        talkAboutEverything(client, server);
    }
}
