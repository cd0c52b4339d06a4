package jfs.negotiation.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What one end has received is compared with what the other end has sent, however many bytes have come so far (NEG-6). */
class StreamPrefixTest {

    private static final int MORE = StreamPrefix.MOST + 1000;

    private final byte[] stream = new byte[MORE];
    private final UnaryOperator<byte[]> digest = StreamPrefixTest::sha256;
    private final StreamPrefix sender = new StreamPrefix();
    private final StreamPrefix receiver = new StreamPrefix();

    StreamPrefixTest() {
        new Random(1).nextBytes(stream);
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private boolean same() {
        return sender.isWhatWasSent(receiver.seen(digest), digest);
    }

    @Test
    void inPiecesOfAnySize() {
        assertTrue(same(), "nothing yet");
        sender.sending(stream, 0, MORE);
        for (int at = 0, piece = 1; at < MORE; at += piece, piece = Math.min(2 * piece, MORE - at)) {
            receiver.received(stream, at, piece);
            assertTrue(same(), (at + piece) + " bytes");
            assertEquals(Math.min(at + piece, StreamPrefix.MOST), receiver.seen(digest).count());
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
    void aByteThatWasAddedIsNoticed() {
        sender.sending(stream, 0, 10);
        receiver.received(stream, 0, 11);
        assertFalse(same());
    }

    @Test
    void aCountOfMoreThanThePrefixIsRefused() {
        sender.sending(stream, 0, MORE);
        assertFalse(sender.isWhatWasSent(new StreamPrefix.Seen(65_535, new byte[32]), digest));
    }
}
