package jfs.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import jfs.programs.harness.How;
import jfs.programs.harness.Log;
import jfs.programs.harness.Program;
import jfs.programs.harness.Programs;
import jfs.programs.harness.ReservedPort;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import programs.jms.Broker;
import programs.jms.Client;

/** A client of a message broker that stops responding and is killed. Another broker follows at the same port. */
class JmsIT {

    private static final String[] LIBRARIES = {"activemq-", "jakarta.", "hawtbuf", "jackson-", "slf4j"};

    private static String oracle;

    @BeforeAll
    static void onTheJdk() throws Exception {
        oracle = run(How.JDK, How.JDK, How.JDK);
        assertTrue(oracle.endsWith("\nclosed"), oracle);
    }

    private static String run(How clientHow, How brokerHow, How nextHow) throws Exception {
        try (Programs programs = new Programs(); ReservedPort port = new ReservedPort()) {
            Program broker = broker(programs, brokerHow, port);
            Program client = programs.start(Program.java(clientHow, Client.class, "" + port.number())
                    .using(LIBRARIES));
            next(client, "questions", broker, clientHow, brokerHow, 2);
            next(client, "one broker", broker, clientHow, brokerHow, 2 + 2); // one of them has become fast by keep-alive messages alone
            client.awaitLine("it may stop");
            broker.freeze();
            client.awaitLine("another broker");
            broker.kill();
            Program other = broker(programs, nextHow, port);
            next(client, "another broker", other, clientHow, nextHow, 1);
            client.awaitEnd();
            other.end();
            if (nextHow.hasJfs() && !clientHow.hasJfs()) {
                Log.assertOverTcp(other, "NO_OFFER");
            }
            return client.transcript();
        }
    }

    private static Program broker(Programs programs, How how, ReservedPort port)
            throws IOException, InterruptedException {
        Program broker = programs.start(Program.java(how, Broker.class, "" + port.number()).using(LIBRARIES));
        broker.awaitLine("started");
        return broker;
    }

    /** Lets the client go on when this many of its connections have been fast, if both processes have JFS. */
    private static void next(Program client, String line, Program broker, How clientHow, How brokerHow, int fast)
            throws InterruptedException {
        client.awaitLine(line);
        if (clientHow.hasJfs() && brokerHow.hasJfs()) {
            client.await(line + ", fast, at " + broker, () -> Log.fast(client, broker).size() >= fast);
        } else if (clientHow.hasJfs()) {
            client.await("no peer", () -> Log.reasons(client).contains("NO_PEER"));
        }
        client.tell();
    }

    /** In the last case only the second broker has JFS, in the case before only the first. */
    @ParameterizedTest
    @CsvSource({"LAUNCHER, LAUNCHER, LAUNCHER", "AGENT, AGENT, AGENT", "JDK, AGENT, AGENT", "LAUNCHER, AGENT, JDK",
        "AGENT, JDK, LAUNCHER"})
    void getsTheSameMessages(How client, How broker, How next) throws Exception {
        assertEquals(oracle, run(client, broker, next));
    }
}
