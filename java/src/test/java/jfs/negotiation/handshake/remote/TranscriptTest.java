package jfs.negotiation.handshake.remote;

import static jfs.negotiation.handshake.remote.Transcript.Speaker.ACCEPTOR;
import static jfs.negotiation.handshake.remote.Transcript.Speaker.OFFERER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** A frame is valid only at one place of one conversation between two ends that have the key. */
class TranscriptTest {

    private static final HostKey KEY = new HostKey(new byte[32]);
    private static final ByteBuffer HELLO = ByteBuffer.wrap(new byte[40]);
    private static final ByteBuffer PAYLOAD = ByteBuffer.wrap(new byte[] {1, 2, 3});

    private final Transcript offerer = new Transcript(KEY, HELLO);
    private final Transcript acceptor = new Transcript(KEY, HELLO);

    @Test
    void frameByFrame() {
        assertEquals(PAYLOAD, offerer.open(ACCEPTOR, acceptor.seal(ACCEPTOR, PAYLOAD)));
        assertEquals(HELLO, acceptor.open(OFFERER, offerer.seal(OFFERER, HELLO)));
        assertEquals(PAYLOAD, offerer.open(ACCEPTOR, acceptor.seal(ACCEPTOR, PAYLOAD)));
    }

    @Test
    void anotherKey() {
        byte[] secret = new byte[32];
        secret[31] = 1;
        Transcript stranger = new Transcript(new HostKey(secret), HELLO);
        assertNull(offerer.open(ACCEPTOR, stranger.seal(ACCEPTOR, PAYLOAD)));
        assertNull(offerer.open(ACCEPTOR, new Transcript(HostKey.TRUSTED, HELLO).seal(ACCEPTOR, PAYLOAD)));
    }

    @Test
    void anotherConversation() {
        byte[] nonce = new byte[40];
        nonce[39] = 1;
        ByteBuffer replayed = new Transcript(KEY, ByteBuffer.wrap(nonce)).seal(ACCEPTOR, PAYLOAD);
        assertNull(offerer.open(ACCEPTOR, replayed));
    }

    @Test
    void aRepeatedFrameIsRefused() {
        ByteBuffer frame = acceptor.seal(ACCEPTOR, PAYLOAD);
        assertEquals(PAYLOAD, offerer.open(ACCEPTOR, frame));
        assertNull(offerer.open(ACCEPTOR, frame));
    }

    @Test
    void anEndsOwnFrameIsRefused() {
        assertNull(offerer.open(ACCEPTOR, offerer.seal(OFFERER, PAYLOAD)));
        assertNull(acceptor.open(OFFERER, acceptor.seal(ACCEPTOR, PAYLOAD)));
    }

    @Test
    void aFrameWithAChangedBitIsRefused() {
        ByteBuffer frame = acceptor.seal(ACCEPTOR, PAYLOAD);
        for (int i = 0; i < frame.limit(); i++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] changed = frame.array().clone();
                changed[i] ^= (byte) (1 << bit);
                assertNull(offerer.open(ACCEPTOR, ByteBuffer.wrap(changed)), "byte " + i);
            }
        }
        for (int length = 0; length < frame.limit(); length++) {
            assertNull(offerer.open(ACCEPTOR, ByteBuffer.wrap(frame.array(), 0, length)), length + " bytes");
        }
        assertEquals(PAYLOAD, offerer.open(ACCEPTOR, frame), "what fails leaves no trace");
    }
}
