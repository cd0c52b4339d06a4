package jfs.negotiation.handshake.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import jfs.Fuzz;
import jfs.negotiation.handshake.StreamPrefix;
import jfs.stat.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever comes in from another host is understood or refused. */
@Timeout(300)
class HostMessageFuzzTest {

    @Test
    void greetings() {
        int[] understood = {0};
        byte[] nonce = new byte[HostMessage.NONCE_BYTES];
        Fuzz.fuzz(Fuzz.bytes(new HostMessage.Hello(HostMessage.VERSION, true, 80, nonce).encode()), (input, random) -> {
            HostMessage.Hello decoded = HostMessage.Hello.decode(ByteBuffer.wrap(input));
            if (decoded != null && decoded.version() == HostMessage.VERSION) {
                understood[0]++;
                assertTrue(decoded.port() >= 0 && decoded.port() <= 65535);
                assertEquals(HostMessage.NONCE_BYTES, decoded.nonce().length);
            }
        });
        assertTrue(understood[0] > Fuzz.ROUNDS / 20 && understood[0] < Fuzz.ROUNDS, "understood " + understood[0]);
    }

    @Test
    void refusals() {
        Fuzz.fuzz(Fuzz.bytes(HostMessage.refusal(Reason.WRONG_KEY)), (input, random) -> {
            boolean isChallenge = input.length > 0 && input[0] == 0;
            assertEquals(isChallenge, HostMessage.refusal(ByteBuffer.wrap(input)) == null);
        });
        assertEquals(Reason.WRONG_KEY, HostMessage.refusal(HostMessage.refusal(Reason.WRONG_KEY)));
    }

    /** What the peer says that it has received of a stream, when this end has sent some bytes. */
    @Test
    void beginnings() {
        Transcript transcript = new Transcript(new HostKey(new byte[32]), ByteBuffer.allocate(40));
        StreamPrefix sender = new StreamPrefix();
        sender.sending(new byte[100], 0, 100);
        StreamPrefix receiver = new StreamPrefix();
        receiver.received(new byte[90], 0, 90);
        ByteBuffer seen = ByteBuffer.allocate(100);
        HostMessage.put(seen, receiver.seen(transcript::digest));
        byte[] example = Fuzz.bytes(seen.flip());
        Fuzz.fuzz(example, (input, random) -> {
            boolean same = input.length >= example.length && Arrays.equals(input, 0, example.length, example, 0, example.length);
            try {
                assertEquals(same, sender.isWhatWasSent(HostMessage.seen(ByteBuffer.wrap(input)), transcript::digest));
            } catch (BufferUnderflowException e) { // the callers of seen catch this
                assertTrue(input.length < example.length);
            }
        });
    }
}
