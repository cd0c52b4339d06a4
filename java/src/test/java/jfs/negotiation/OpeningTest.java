package jfs.negotiation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What one end has received is compared with what the other end has sent, however many bytes have come so far (NEG-6). */
class OpeningTest {

    private static final int MORE = Opening.MOST + 1000;

    private final byte[] stream = new byte[MORE];
    private final Transcript by = new Transcript(HostKey.TRUSTED, ByteBuffer.allocate(40));
    private final Opening sender = new Opening();
    private final Opening receiver = new Opening();

    OpeningTest() {
        new Random(1).nextBytes(stream);
    }

    private boolean same() {
        return sender.isWhatWasSent(receiver.seen(by), by);
    }

    @Test
    void inPiecesOfAnySize() {
        assertTrue(same(), "nothing yet");
        sender.sending(stream, 0, MORE);
        for (int at = 0, piece = 1; at < MORE; at += piece, piece = Math.min(2 * piece, MORE - at)) {
            receiver.received(stream, at, piece);
            assertTrue(same(), (at + piece) + " bytes");
            assertEquals(Math.min(at + piece, Opening.MOST), receiver.seen(by).count());
        }
    }

    @Test
    void aByteThatWasChanged() {
        sender.sending(stream, 0, MORE);
        receiver.received(stream, 0, 100);
        stream[100]++;
        receiver.received(stream, 100, 1);
        assertFalse(same());
    }

    @Test
    void aByteThatWasLost() {
        sender.sending(stream, 0, MORE);
        receiver.received(stream, 1, 10);
        assertFalse(same());
    }

    @Test
    void moreThanWasSent() {
        sender.sending(stream, 0, 10);
        receiver.received(stream, 0, 11);
        assertFalse(same());
    }

    @Test
    void aCountThatCannotBe() {
        sender.sending(stream, 0, MORE);
        assertFalse(sender.isWhatWasSent(new Opening.Seen(65_535, new byte[HostKey.PROOF_BYTES]), by));
    }
}
