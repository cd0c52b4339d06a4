package jfs.negotiation.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import jfs.Fuzz;
import jfs.stat.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever comes in as a message is understood or refused. */
@Timeout(300)
class MessageFuzzTest {

    private static Message.Offer offer() {
        return new Message.Offer(Versions.OURS, true, 42, Tuple.read(ByteBuffer.allocate(Tuple.BYTES)), "sci",
                ByteBuffer.allocate(20));
    }

    @Test
    void offers() {
        int[] understood = {0};
        Fuzz.fuzz(Fuzz.bytes(offer().encode()), (input, random) -> {
            Message.Offer decoded = Message.Offer.decode(ByteBuffer.wrap(input));
            if (decoded != null) {
                understood[0]++;
                assertTrue(decoded.transport().length() <= 255 && decoded.description().remaining() <= input.length);
                decoded.tuple().reversed().remotePort();
                decoded.tuple().sameAddresses();
            }
        });
        assertTrue(understood[0] > Fuzz.ROUNDS / 20 && understood[0] < Fuzz.ROUNDS, "understood " + understood[0]);
    }

    @Test
    void answers() {
        int version = Versions.OURS.newest();
        Fuzz.fuzz(Fuzz.bytes(Message.Answer.declined(Reason.PEER_BUSY).encode(version)), (input, random) -> {
            Message.Answer decoded = Message.Answer.decode(version, ByteBuffer.wrap(input));
            if (decoded != null) {
                assertTrue(decoded.status() >= Message.JOINED && decoded.status() <= Message.STALE_OFFER);
                assertNotNull(decoded.reason());
                Versions spoken = decoded.spoken(version);
                assertTrue(spoken == null || spoken.oldest() <= spoken.newest());
            }
        });
        ByteBuffer busy = Message.Answer.declined(Reason.PEER_BUSY).encode(version);
        assertEquals(Reason.PEER_BUSY, Message.Answer.decode(version, busy).reason());
    }
}
