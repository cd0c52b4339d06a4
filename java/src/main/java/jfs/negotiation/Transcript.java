package jfs.negotiation;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * What two rendezvous have said to each other, with proofs. Each frame but the hello begins with an HMAC, by the key, of who
 * speaks and of all that was said before, the two nonces at its head; so a frame fits in one place of one conversation, and
 * nobody without the key can make one.
 *
 * <pre>
 * frame   32 B  HMAC(key, who | past | payload)     who: 'o' offerer, 'a' acceptor
 *         payload, to the end
 * past    32 B  HMAC(key, 'p' | past | payload), of the frame before; at first of 32 zeros and the hello
 * </pre>
 */
final class Transcript {

    /** Which end speaks. */
    enum Speaker {
        OFFERER('o'), ACCEPTOR('a');

        private final byte[] label;

        Speaker(char label) {
            this.label = new byte[] {(byte) label};
        }
    }

    private static final byte[] PAST = {'p'};
    private static final byte[] OPENING = {'b'};

    private final HostKey key;
    private byte[] past = new byte[HostKey.PROOF_BYTES];

    /** @param hello how it began */
    Transcript(HostKey key, ByteBuffer hello) {
        this.key = key;
        goOn(bytes(hello));
    }

    private void goOn(byte[] payload) {
        past = key.proof(PAST, past, payload);
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    /** The frame with this payload, which comes next. */
    ByteBuffer seal(Speaker speaker, ByteBuffer payload) {
        byte[] text = bytes(payload);
        byte[] proof = key.proof(speaker.label, past, text);
        goOn(text);
        return ByteBuffer.allocate(proof.length + text.length).put(proof).put(text).flip();
    }

    /** The payload of the frame that comes next; null if nobody with the key has made it, for this place. */
    ByteBuffer open(Speaker speaker, ByteBuffer frame) {
        if (frame.remaining() < HostKey.PROOF_BYTES) {
            return null;
        }
        byte[] all = bytes(frame);
        byte[] text = Arrays.copyOfRange(all, HostKey.PROOF_BYTES, all.length);
        byte[] proof = key.proof(speaker.label, past, text);
        if (!MessageDigest.isEqual(proof, Arrays.copyOf(all, HostKey.PROOF_BYTES))) {
            return null;
        }
        goOn(text);
        return ByteBuffer.wrap(text);
    }

    /** A digest of the first bytes of a stream, that tells nothing to who doesn't have the key. */
    byte[] digest(byte[] opening) {
        return key.proof(OPENING, opening);
    }
}
