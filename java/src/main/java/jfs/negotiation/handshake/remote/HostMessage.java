package jfs.negotiation.handshake.remote;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import jfs.negotiation.handshake.StreamPrefix;
import jfs.stat.Reason;

/**
 * The frames by which two processes on different hosts agree on a fast path. Each offer has a TCP connection of its own for them. Every
 * frame has its length before it, 2 bytes. Integers are big-endian, bytes unsigned.
 *
 * <pre>
 *  offerer                                              acceptor
 *    HELLO      int   MAGIC "JFSH"
 *               byte  version, now 1
 *               byte  1 if the key is asked for, 0 if trusted
 *               short listener's port
 *               32 B  nonce                      ----&gt;
 *                                                &lt;----  CHALLENGE  byte 0; sealed: 32 B nonce
 *                                                         or       byte 1, the {@link Reason}'s name, ASCII; then it hangs up
 *    OFFER      sealed: seen, {@link jfs.negotiation.handshake.Message}'s offer  ----&gt;
 *                                                &lt;----  SEEN       sealed: byte 0, seen
 *                                                         or ANSWER, if it is declined
 *    AGREED     sealed: byte 1, or 0: ALTERED    ----&gt;
 *                                                &lt;----  ANSWER     sealed: byte 1, {@link jfs.negotiation.handshake.Message}'s answer
 *
 *  sealed: as {@link Transcript} draws it, and covers HELLO
 *  seen:   short count, 32 B digest; as {@link StreamPrefix} has them
 * </pre>
 *
 * <p>The first five bytes of a HELLO and an unsealed CHALLENGE are the same in every version. The version of {@link
 * jfs.negotiation.handshake.Message} is another number. This version covers the frames around the two messages of that class.
 */
final class HostMessage {

    /** Bytes of the longest frame, without its length. */
    static final int MAX_BYTES = 512;
    static final int VERSION = 1;
    static final int NONCE_BYTES = 32;
    private static final int MAGIC = 0x4a465348;
    private static final byte SEALED = 0;
    private static final byte REFUSED = 1;
    static final byte SEEN = 0;
    static final byte ANSWER = 1;

    private HostMessage() {
    }

    /** @param port the port of the listener whose connection the offer is for */
    record Hello(int version, boolean keyed, int port, byte[] nonce) {

        ByteBuffer encode() {
            return ByteBuffer.allocate(MAX_BYTES).putInt(MAGIC).put((byte) version).put((byte) (keyed ? 1 : 0))
                    .putShort((short) port).put(nonce).flip();
        }

        /** @return null if the frame is no HELLO; of another version only the version is known */
        static Hello decode(ByteBuffer frame) {
            try {
                ByteBuffer in = frame.duplicate();
                if (in.getInt() != MAGIC) {
                    return null;
                }
                int version = in.get() & 0xff;
                if (version != VERSION) {
                    return new Hello(version, false, 0, null);
                }
                boolean keyed = in.get() != 0;
                int port = in.getShort() & 0xffff;
                byte[] nonce = new byte[NONCE_BYTES];
                in.get(nonce);
                return new Hello(version, keyed, port, nonce);
            } catch (BufferUnderflowException e) {
                return null;
            }
        }
    }

    static ByteBuffer challenge(Transcript transcript, byte[] nonce) {
        ByteBuffer sealed = transcript.seal(Transcript.Speaker.ACCEPTOR, ByteBuffer.wrap(nonce));
        return ByteBuffer.allocate(MAX_BYTES).put(SEALED).put(sealed).flip();
    }

    static ByteBuffer refusal(Reason reason) {
        return ByteBuffer.allocate(MAX_BYTES).put(REFUSED).put(reason.name().getBytes(StandardCharsets.US_ASCII)).flip();
    }

    /** @return why the acceptor refuses to go on; null if it goes on; BAD_MESSAGE if this build does not know its reason */
    static Reason refusal(ByteBuffer challenge) {
        if (challenge.hasRemaining() && challenge.get(challenge.position()) == SEALED) {
            return null;
        }
        String name = StandardCharsets.US_ASCII.decode(challenge.duplicate()).toString();
        return Stream.of(Reason.values()).filter(it -> name.equals((char) REFUSED + it.name())).findFirst()
                .orElse(Reason.BAD_MESSAGE);
    }

    /** @return whether the process that sent this CHALLENGE, which is no refusal, has the key */
    static boolean isProof(Transcript transcript, ByteBuffer challenge) {
        ByteBuffer payload = transcript.open(Transcript.Speaker.ACCEPTOR, challenge.duplicate().position(
                challenge.position() + 1));
        return payload != null && payload.remaining() == NONCE_BYTES;
    }

    static void put(ByteBuffer out, StreamPrefix.Seen seen) {
        out.putShort((short) seen.count()).put(seen.digest());
    }

    /** @throws BufferUnderflowException if there are too few bytes */
    static StreamPrefix.Seen seen(ByteBuffer in) {
        int count = in.getShort() & 0xffff;
        byte[] digest = new byte[HostKey.PROOF_BYTES];
        in.get(digest);
        return new StreamPrefix.Seen(count, digest);
    }
}
