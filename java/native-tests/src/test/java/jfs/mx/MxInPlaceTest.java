package jfs.mx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jfs.spi.Claim;
import jfs.testing.Await;
import jfs.testing.Natives;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bytes that a program puts into the memory of a message, and takes from there. */
@Timeout(120)
class MxInPlaceTest {

    private static final int MESSAGE = 4_096;

    private final Claim room = new Claim();
    private final Claim come = new Claim();
    private MxEndpoint near;
    private MxEndpoint far;
    private MxChannel sender;
    private MxChannel receiver;
    private InPlace out;
    private InPlace in;

    @BeforeAll
    static void loadNatives() {
        Natives.assumeMx();
    }

    @BeforeEach
    void open() throws Exception {
        near = MxEndpoint.open(MESSAGE);
        far = MxEndpoint.open(MESSAGE);
        sender = near.newChannel(1);
        receiver = far.newChannel(1);
        sender.connect(receiver.description());
        receiver.connect(sender.description());
        Await.until("greeted", () -> sender.greeted() && receiver.greeted());
        sender.switchAt(0);
        out = sender.inPlace();
        in = receiver.inPlace();
    }

    @AfterEach
    void close() throws Exception {
        near.close();
        far.close();
    }

    private void commit(int value) throws Exception {
        assertTrue(out.claim(room, 1, 1));
        room.memory().put(room.offset(), (byte) value);
        out.commit(1);
    }

    private void awaitBytes(int count) throws Exception {
        Await.until("arrived", () -> receiver.available() == count || receiver.failed());
        assertFalse(receiver.failed(), () -> receiver.whyFailed());
    }

    @Test
    void bytesGoInTheOrderOfTheCalls() throws Exception {
        assertFalse(out.claim(room, 1, 1), "the first message carries the count of the switch");
        assertEquals(1, sender.send(new byte[] {1}, 0, 1));
        commit(2);
        assertEquals(1, sender.send(new byte[] {3}, 0, 1));
        assertFalse(out.claim(room, MESSAGE + 1, 2 * MESSAGE), "longer than a message");
        assertTrue(out.claim(room, 1, 2 * MESSAGE));
        assertEquals(MESSAGE, room.length());
        commit(4); // the claim before is given up
        awaitBytes(4);
        byte[] seen = new byte[4];
        int taken = 0;
        while (taken < 2) {
            int n = in.peek(come);
            assertEquals(n, come.length());
            seen[taken++] = come.memory().get(come.offset());
            in.release(1);
        }
        assertEquals(2, receiver.receive(seen, 2, 2));
        assertArrayEquals(new byte[] {1, 2, 3, 4}, seen);
        assertEquals(0, in.peek(come));
    }

    @Test
    void whatOtherCallsHaveTakenIsRefused() throws Exception {
        sender.send(new byte[] {1, 2}, 0, 2);
        assertTrue(out.claim(room, 1, 8));
        sender.send(new byte[] {3}, 0, 1);
        assertThrows(IllegalStateException.class, () -> out.commit(8));
        assertThrows(IllegalStateException.class, () -> out.commit(8), "nothing is claimed");
        awaitBytes(3);
        in.peek(come);
        receiver.receive(new byte[1], 0, 1);
        assertThrows(IllegalStateException.class, () -> in.release(1));
        assertEquals(2, receiver.available());
    }

    /** A thread closes the connection while another one writes. The peer would take bytes behind the end for a fault. */
    @Test
    void nothingIsSentBehindTheEnd() throws Exception {
        sender.send(new byte[] {1}, 0, 1);
        assertTrue(out.claim(room, 1, 8));
        sender.finish(false);
        out.commit(8);
        assertEquals(0, sender.send(new byte[] {2}, 0, 1));
        assertFalse(out.claim(room, 1, 8));
        Await.until("ended", () -> receiver.ended() || receiver.failed());
        sender.awaitDelivered(System.nanoTime() + 10_000_000_000L);
        assertFalse(receiver.failed(), () -> receiver.whyFailed());
        assertEquals(1, receiver.available());
    }

    /** The receiver takes nothing, and the messages under way are few. */
    @Test
    void smallClaimsShareTheMemoryOfAMessage() throws Exception {
        sender.send(new byte[1], 0, 1);
        int most = 0;
        for (int i = 0; i < 20_000; i++) {
            commit(i);
            most = Math.max(most, near.buffersInUse() - MxEndpoint.RECEIVES);
        }
        assertTrue(most <= Outbound.UNDER_WAY_MAX + 20_000 / MESSAGE + 8, most + " buffers");
        awaitBytes(20_001);
        Await.until("all sent", () -> near.buffersInUse() <= MxEndpoint.RECEIVES + 1); // one is claimed next
        sender.abandon();
        receiver.abandon();
        Await.until("given back", () -> near.channels() == 0 && near.buffersInUse() == MxEndpoint.RECEIVES);
    }
}
