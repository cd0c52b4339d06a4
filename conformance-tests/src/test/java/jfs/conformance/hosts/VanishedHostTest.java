package jfs.conformance.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import jfs.conformance.harness.processes.Child;
import org.junit.jupiter.api.Test;

/** A host vanishes after the switch. Each thread that would get an error over TCP gets it over MX, and about as soon. */
class VanishedHostTest extends MxHosts {

    /** The connections: whether the client sends any bytes on them. */
    private static final List<Boolean> BOTH_WAYS = List.of(true, true, true, true, false);

    private static void connect(Child client, Child server, boolean bothWays, boolean overMx) throws Exception {
        TwoHosts.connect(client, server);
        if (bothWays && overMx) {
            converse(client, server);
        } else if (overMx) {
            long before = server.ask("switched");
            while (server.ask("switched") == before) {
                Child.Order read = client.begin("read 1 1000000");
                server.begin("write 1 1000000").isDone();
                read.isDone();
            }
        }
        client.begin("keep").isDone();
        server.begin("keep").isDone();
    }

    /** Makes the client's host vanish while threads use the connections. Returns what these threads see. */
    private static List<Child.Order> left(Child client, Child server, TwoHosts wire) throws Exception {
        server.tell("takeKept");
        server.begin("setKeepAlive true 1").isDone();
        Child.Order probing = server.begin("causeOf readToEnd 1").blocked();
        server.tell("takeKept");
        client.tell("takeKept");
        client.tell("takeKept");
        client.begin("write 2 1").isDone();
        server.begin("read 2 1").isDone(); // so no byte is unacknowledged
        Child.Order reading = server.begin("causeOf readToEnd 1").blocked();
        wire.vanish();
        server.begin("write 1 1").isDone();
        server.tell("takeKept");
        server.begin("write 1 1").isDone();
        Child.Order awaiting = server.begin("causeOf readToEnd 1").blocked();
        server.tell("takeKept");
        Child.Order writing = server.begin("causeOf write 1 20000000").blocked();
        server.tell("takeKept");
        server.begin("write 1 1").isDone();
        Child.Order speaking = server.begin("causeOf readToEnd 1");
        return List.of(probing, reading, awaiting, writing, speaking);
    }

    /**
     * A thread that waits in a read, with SO_KEEPALIVE or while another thread writes; a thread that has written before; a
     * thread that writes.
     */
    @Test
    void eachThreadGetsItsErrorAboutAsSoonAsOverTcp() throws Exception {
        Child plainClient = start(TwoHosts.alone(Child.plain()));
        Child plainServer = start(TwoHosts.alone(Child.plain()));
        Child client = client();
        Child server = server();
        TwoHosts plainWire = new TwoHosts(plainClient, plainServer).impatient();
        TwoHosts wire = new TwoHosts(client, server).impatient();
        for (boolean bothWays : BOTH_WAYS) {
            connect(plainClient, plainServer, bothWays, false);
            connect(client, server, bothWays, true);
        }
        List<Child.Order> plain = left(plainClient, plainServer, plainWire);
        List<Child.Order> overMx = left(client, server, wire);
        for (int i = 0; i < BOTH_WAYS.size(); i++) {
            assertEquals("java.net.SocketException: Connection timed out, from null", plain.get(i).result());
            String result = overMx.get(i).result();
            assertTrue(result.startsWith("java.net.SocketException: Connection reset"), result);
        }
    }
}
