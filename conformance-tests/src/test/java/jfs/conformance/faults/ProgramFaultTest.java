package jfs.conformance.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import jfs.conformance.faults.Cell.End;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Children;
import jfs.testing.Await;
import org.junit.jupiter.api.Test;

/** Harm that a program does to its own process or socket at an inconvenient moment. */
class ProgramFaultTest extends Children {

    /** More bytes than all buffers between two ends take. */
    private static final int TOO_MUCH = 500_000_000;

    /** Logging then throws at each decision. */
    @Test
    void theProgramsSystemErrThrows() throws Exception {
        try (Duel duel = new Duel(Way.SCI, Ends.SOCKETS, Child.jfs().with("-Djfs.log=all"), new Random())) {
            for (End end : End.values()) {
                duel.at(end).begin("breakErr").isDone();
            }
            for (End end : End.values()) {
                duel.prepare(end);
            }
            duel.talk();
            for (End end : End.values()) {
                duel.assertIdle(end);
            }
        }
    }

    /** The peer learns that this end reads no more only when TCP has ended too: the peer asks TCP what that means. */
    @Test
    void bothHalvesAreShutWhileAWriterIsInside() throws Exception {
        Child server = start(Child.jfs().with(Duel.HOOKED));
        Child client = start(Child.jfs());
        connect(client, server);
        converse(client, server);
        Child.Order trap = server.begin("arm WRITER_ASLEEP 1 STOP 0");
        server.begin("armed " + trap.number()).isDone();
        Child.Order write = server.begin("write 1 " + TOO_MUCH);
        trap.result();
        server.begin("shutdownInput").isDone();
        server.begin("shutdownOutput").isDone();
        assertEquals(0, server.ask("step TCP_OUTPUT_SHUT"), "the writer will");
        assertEquals(0, server.ask("step RECEIVER_CLOSED"));
        server.begin("release").isDone();
        assertEquals("java.net.SocketException: Broken pipe", write.result());
        Await.until("the peer can know", () -> server.ask("step RECEIVER_CLOSED") == 1);
        assertEquals(1, server.ask("step TCP_OUTPUT_SHUT"));
    }
}
