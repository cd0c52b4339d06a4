package jfs.conformance.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Commands;
import jfs.conformance.harness.processes.Deaths;
import jfs.testing.Await;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A kill -9 at each step of the negotiation, before anything has switched. A stopped process keeps the connection at the step. */
class EarlyDeathTest extends Deaths {

    /** Enough bytes for an offer, and not too many for TCP's buffers. */
    private static final int WORTH_AN_OFFER = 200_000;

    /** How far the connection has come. */
    enum Step {
        /** No byte has been sent. */
        CONNECTED,
        /** The client has made its offer, and the server has not seen it. */
        OFFERED,
        /** The server has taken the offer and waits for the segment, which the client does not hand over. */
        TAKEN,
        /** Both have their path, and no byte has taken it. */
        ATTACHED
    }

    private void come(Step to) throws Exception {
        if (to == Step.CONNECTED) {
            return;
        }
        if (to != Step.ATTACHED) {
            Commands.stop(server);
        }
        client.begin("write 1 " + WORTH_AN_OFFER).isDone();
        Await.until("the client has a segment", () -> client.ask("mappings") == 1);
        client.begin("negotiated").isDone();
        if (to == Step.TAKEN) {
            Commands.stop(client);
            Commands.goOn(server);
            Await.until("the server waits, or has given up", () -> server.tell("negotiates").equals("connectSegment")
                    || server.fallbacks().equals("{FAILED=1}"));
        }
        if (to == Step.ATTACHED) {
            Await.until("the server has it too", () -> server.ask("mappings") == 1);
            server.begin("negotiated").isDone();
            client.begin("negotiated").isDone();
        }
    }

    @ParameterizedTest
    @CsvSource({"CONNECTED, CLIENT", "OFFERED, CLIENT", "TAKEN, CLIENT", "ATTACHED, CLIENT",
        "CONNECTED, SERVER", "OFFERED, SERVER", "TAKEN, SERVER", "ATTACHED, SERVER"})
    void theSurvivorIsReading(Step step, Victim who) throws Exception {
        connected(who);
        long switched = survivor.ask("switched");
        Child.Order read = survivor.begin("read 1 1000000").blocked();
        come(step);
        victim.kill();
        Commands.goOn(survivor);
        assertOver(read.result());
        assertEquals(switched, survivor.ask("switched"));
        assertNothingIsLeft(who);
    }
}
