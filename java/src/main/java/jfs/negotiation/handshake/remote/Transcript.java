package jfs.negotiation.handshake.remote;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * What the two ends of a conversation between hosts have said to each other, with proofs. Each sealed frame begins with an HMAC by the key.
 * The HMAC covers which end speaks, all frames before, and the payload. The first two frames have the nonces. A frame therefore is valid at
 * one place of one conversation only, and only a process that has the key can make it.
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

    /** @param hello the first frame of the conversation */
    Transcript(HostKey key, ByteBuffer hello) {
        this.key = key;
        advance(bytes(hello));
    }

    private void advance(byte[] payload) {
        past = key.proof(PAST, past, payload);
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    /** @return the next frame of the conversation, with this payload */
    ByteBuffer seal(Speaker speaker, ByteBuffer payload) {
        byte[] text = bytes(payload);
        byte[] proof = key.proof(speaker.label, past, text);
        advance(text);
        return ByteBuffer.allocate(proof.length + text.length).put(proof).put(text).flip();
    }

    /** @return the payload of the next frame; null if the frame was not made with the key for this place of the conversation */
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
        advance(text);
        return ByteBuffer.wrap(text);
    }

    /** @return a digest of the first bytes of a stream; it tells nothing to a process that does not have the key */
    byte[] digest(byte[] opening) {
        return key.proof(OPENING, opening);
    }
}
