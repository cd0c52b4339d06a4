package jfs.conformance.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Children;
import jfs.conformance.harness.processes.Commands;
import jfs.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The wire is as bad as it says. The programs use the JDK's own sockets, and nothing is faster than the wire. */
@Timeout(180)
class BadWireTest extends Children {

    private Child client;
    private Child server;

    private void hosts() throws Exception {
        BadWire.assume();
        client = start(TwoHosts.alone(Child.plain()));
        server = start(TwoHosts.alone(Child.plain()));
    }

    private void connected(String how) throws Exception {
        hosts();
        new TwoHosts(client, server, how.split(" "));
        TwoHosts.connect(client, server);
    }

    /** A round trip takes from 30 to 50 ms. */
    @Test
    void itDelaysFrames() throws Exception {
        connected("delay 20ms 5ms");
        Child.Order follow = server.begin("follow");
        long start = System.nanoTime();
        client.ask("lead 10");
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        follow.isDone();
        assertTrue(millis >= 10 * 30, "10 questions and answers in " + millis + " ms");
    }

    /** 8 MB are more than 5,500 segments. */
    @Test
    void itLosesFrames() throws Exception {
        connected("loss 2%");
        talkAboutEverything(client, server);
        long again = TwoHosts.retransmissions(client) + TwoHosts.retransmissions(server);
        assertTrue(again >= 50, again + " segments sent again");
    }

    /** So the wire can't outlive the JVM that has started it. Its devices go with it. */
    @Test
    void itEndsWithItsInput() throws Exception {
        hosts();
        Process wire = BadWire.between(client, server, "delay", "1ms");
        String[] device = {"nsenter", "--net", "--target", "" + client.pid(), "ip", "link", "show", "dev", TwoHosts.WIRE};
        Commands.run(device);
        wire.getOutputStream().close();
        assertTrue(wire.waitFor(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        assertEquals(0, wire.exitValue());
        assertThrows(AssertionError.class, () -> Commands.run(device));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "x 1", "1 1 delay", "1 1 delay 30", "1 1 delay 30ms 40ms", "1 1 delay 2min", "1 1 loss 3",
            "1 1 loss 101%", "1 1 loss nan%", "1 1 seed x", "1 1 duplicate 3%"})
    void itRefusesBadArguments(String arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(System.getProperty("test.wire")));
        Stream.of(arguments.split(" ")).filter(it -> !it.isEmpty()).forEach(command::add);
        Process wire = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = wire.inputReader().readLine();
        assertTrue(wire.waitFor(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        assertEquals(2, wire.exitValue(), said);
        assertTrue(said.startsWith("wire: "), said);
    }
}
