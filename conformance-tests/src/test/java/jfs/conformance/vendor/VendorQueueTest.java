package jfs.conformance.vendor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Children;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Message queues between two processes over a vendor's library, whose stores are posted. */
@Timeout(120)
class VendorQueueTest extends Children {

    private static final int BYTES = 300_000;
    private static final String CLOSED = "java.io.IOException: the queue's receiver has closed it or is gone";

    @TempDir
    private Path folder;
    private StandIn fabric;
    private Child receiver;
    private Child sender;

    @BeforeEach
    void fabric() {
        fabric = new StandIn(folder);
    }

    private static Child.Start queuePeer(Child.Start start, int pollMicros) {
        return start.running(QueuePeer.class).with("-Djfs.poll.micros=" + pollMicros);
    }

    private void start(Child.Start receivers, Child.Start senders) throws Exception {
        receiver = start(receivers);
        sender = start(senders);
    }

    private void connect() {
        receiver.begin("create").isDone();
        sender.begin("connect").isDone();
    }

    private void close(Child... ends) throws Exception {
        for (Child end : ends) {
            end.begin("close").isDone();
        }
        for (Child end : ends) {
            fabric.hasNothingLeft(end);
        }
    }

    private void nothingIsLeft() throws Exception {
        close(receiver, sender);
        fabric.isEmpty();
    }

    /** With polling and with sleeping. The receiver comes first, or the sender waits for it. The next queue has the same number. */
    @ParameterizedTest
    @CsvSource({"0, false", "80, false", "0, true", "80, true"})
    void carriesAStream(int pollMicros, boolean old) throws Exception {
        String library = (old ? StandIn.OLD_LIBRARY : StandIn.LIBRARY).toString();
        start(queuePeer(fabric.peerWith(library), pollMicros), queuePeer(fabric.peerWith(library), pollMicros));
        for (int seed = 1; seed <= 2; seed++) {
            Child.Order connecting = sender.begin("connect");
            receiver.begin("create").isDone();
            Child.Order received = receiver.begin("receiveToEnd " + seed);
            connecting.isDone();
            sender.begin("send " + seed + " " + BYTES).isDone();
            sender.begin("close").isDone();
            assertEquals("" + BYTES, received.result());
            nothingIsLeft();
        }
    }

    /** The receiver's library reports nothing as long as the sender is connected, so the receiver has to tell the sender itself. */
    @Test
    void aSenderIsToldByWhoHasNeverReceived() throws Exception {
        start(queuePeer(fabric.peer(), 0), queuePeer(fabric.peer(), 0));
        connect();
        receiver.begin("close").isDone();
        assertEquals(CLOSED, sender.tell("send 1 " + BYTES));
        nothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isToldOfADeath(boolean ofSender) throws Exception {
        start(queuePeer(fabric.peer(), 0), queuePeer(fabric.peer(), 0));
        connect();
        Child victim = ofSender ? sender : receiver;
        Child survivor = ofSender ? receiver : sender;
        if (ofSender) {
            sender.begin("send 1 1000").isDone();
        }
        Child.Order waits = survivor.begin(ofSender ? "receiveToEnd 1" : "send 1 " + BYTES);
        victim.kill();
        assertEquals(ofSender ? "1000" : CLOSED, waits.result());
        victim.awaitEnd();
        close(survivor);
        fabric.hasNotMisused(victim);
    }

    /** An interrupt that is lost costs time and has no other effect. */
    @Test
    void sleepsNotForEverWhereARingIsLost() throws Exception {
        String fail = "STANDIN_FAIL=SCITriggerInterrupt:2";
        start(queuePeer(fabric.peer(fail), 0), queuePeer(fabric.peer(fail), 0));
        connect();
        Child.Order received = receiver.begin("receiveToEnd 1");
        sender.begin("send 1 " + BYTES).isDone();
        sender.begin("close").isDone();
        assertEquals("" + BYTES, received.result());
        String lost = "SCITriggerInterrupt 40000919";
        assertTrue(fabric.times(sender, lost) + fabric.times(receiver, lost) > 0);
        nothingIsLeft();
    }

    /** After a store is lost nothing more is published. The sender gets an error. */
    @Test
    void breaksWhereAStoreIsLost() throws Exception {
        start(queuePeer(fabric.peer(), 0), queuePeer(fabric.peer("STANDIN_FAIL=SCICheckSequence:50"), 0));
        connect();
        Child.Order received = receiver.begin("receiveToEnd 1");
        assertEquals("java.io.IOException: the SCI fabric lost data on its way to the other end", sender.tell("send 1 " + BYTES));
        sender.kill();
        assertTrue(Long.parseLong(received.result()) < BYTES);
        close(receiver);
    }
}
