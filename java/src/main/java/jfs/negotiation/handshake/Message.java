package jfs.negotiation.handshake;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import jfs.stat.Reason;

/**
 * The two messages by which two processes agree on a fast path: an offer and its answer. Each has at most 256 bytes. On one host each is
 * one SEQPACKET message without descriptors. Between hosts each goes in a frame ({@code HostMessage}). Integers are big-endian, bytes
 * unsigned.
 *
 * <pre>
 * offer                                        answer
 *   int   MAGIC "JFS1"                           int   MAGIC
 *   byte  version                                byte  version: the offer's
 *   byte  OFFER                                  byte  ANSWER
 *   byte  flags: 1 EARLY; 16 times the number    byte  status: JOINED, NOT_MINE, DECLINED, STALE_OFFER
 *         of older versions offered if need be   if DECLINED: the name of the {@link Reason}, ASCII;
 *   long  nonce                                    if VERSION: 0, byte oldest, byte newest version spoken
 *   48 B  tuple, as the offering end sees it     - - - up to here in every version - - -
 *   - - - up to here in every version - - -      if JOINED: the transport's answer, to the end
 *   byte  n, n bytes: transport's name, ASCII
 *   the transport's description, to the end
 * </pre>
 *
 * <p>The version number of the offer covers all that two processes must agree about: these messages, the transport's description and
 * answer, the layout of the region that they name, and the protocol in it. The region has the number too.
 * <ul>
 * <li><em>A new version</em> is needed for what a peer process must understand.
 * <li><em>The same version</em> may get what a peer process may ignore: a flag, bytes at the end of a description or an
 * answer, a word that the layout leaves free. Receivers ignore what they don't know, and zero means "not there".
 * <li>The offerer chooses the version, because it makes the region. It begins with the newest version that it speaks. An acceptor that
 * does not speak that version declines with VERSION, and names the versions that it speaks. It then gets an offer in the newest version
 * that both speak. If there is none, both ends give that as the reason.
 * </ul>
 *
 * <p>The first builds of version 1 decline an offer of another version with BAD_MESSAGE. As offerers they don't know the reason VERSION,
 * and take it for DECLINED.
 */
public final class Message {

    public static final int MAX_BYTES = 256;
    static final int MAGIC = 0x4a465331;
    private static final byte OFFER = 1;
    private static final byte ANSWER = 2;
    private static final byte EARLY = 1;
    private static final int OLDER_SHIFT = 4;
    /** The versions of the builds that answer BAD_MESSAGE to an offer of another version. */
    private static final Versions FIRST = new Versions(1, 1);

    static final byte JOINED = 0;
    static final byte NOT_MINE = 1;
    static final byte DECLINED = 2;
    /** Answers only offers in which something can be stale. All builds that make such offers know this answer. */
    static final byte STALE_OFFER = 3;

    /**
     * @param versions the newest is the version of this offer; the process would make further offers in the older ones
     * @param early the server program may not have accepted the connection yet
     * @param transport its name; empty if this process does not speak the version of the offer
     * @param description positioned at its first byte
     */
    public record Offer(Versions versions, boolean early, long nonce, Tuple tuple, String transport, ByteBuffer description) {

        int version() {
            return versions.newest();
        }

        public ByteBuffer encode() {
            byte[] name = transport.getBytes(StandardCharsets.US_ASCII);
            ByteBuffer out = ByteBuffer.allocate(MAX_BYTES);
            int flags = (early ? EARLY : 0) | version() - versions.oldest() << OLDER_SHIFT;
            out.putInt(MAGIC).put((byte) version()).put(OFFER).put((byte) flags).putLong(nonce);
            tuple.write(out);
            out.put((byte) name.length).put(name).put(description.duplicate());
            return out.flip();
        }

        /** @return null if the message is no offer */
        public static Offer decode(ByteBuffer in) {
            try {
                if (in.getInt() != MAGIC) {
                    return null;
                }
                int version = in.get() & 0xff;
                if (in.get() != OFFER) {
                    return null;
                }
                int flags = in.get() & 0xff;
                int oldest = version - (flags >> OLDER_SHIFT);
                if (oldest < 1) {
                    return null;
                }
                Versions versions = new Versions(oldest, version);
                boolean early = (flags & EARLY) != 0;
                long nonce = in.getLong();
                Tuple tuple = Tuple.read(in);
                if (!Versions.OURS.include(version)) {
                    return new Offer(versions, early, nonce, tuple, "", in);
                }
                byte[] name = new byte[in.get() & 0xff];
                in.get(name);
                return new Offer(versions, early, nonce, tuple, new String(name, StandardCharsets.US_ASCII), in);
            } catch (BufferUnderflowException e) {
                return null;
            }
        }
    }

    /** @param body the bytes after the status */
    public record Answer(byte status, ByteBuffer body) {

        static Answer joined(ByteBuffer transportsAnswer) {
            return new Answer(JOINED, transportsAnswer);
        }

        /** This process may be able to join another offer for the same connection. */
        static Answer staleOffer() {
            return new Answer(STALE_OFFER, ByteBuffer.allocate(0));
        }

        public static Answer notMine() {
            return new Answer(NOT_MINE, ByteBuffer.allocate(0));
        }

        public static Answer declined(Reason reason) {
            return new Answer(DECLINED, StandardCharsets.US_ASCII.encode(reason.name()));
        }

        /** @return an answer that declines an offer because of its version */
        static Answer otherVersion() {
            byte[] name = Reason.VERSION.name().getBytes(StandardCharsets.US_ASCII);
            return new Answer(DECLINED, ByteBuffer.allocate(name.length + 3).put(name).put((byte) 0)
                    .put((byte) Versions.OURS.oldest()).put((byte) Versions.OURS.newest()).flip());
        }

        /** @return why the offer was declined; DECLINED if the peer process gives no reason that this build knows */
        Reason reason() {
            String text = StandardCharsets.US_ASCII.decode(body.duplicate()).toString();
            int end = text.indexOf(0);
            String name = end < 0 ? text : text.substring(0, end);
            return Reason.named(name, Reason.DECLINED);
        }

        /**
         * @param offered the version of the offer that was declined
         * @return the versions that the peer process speaks; null if it declined for another reason, or names no valid versions
         */
        Versions spoken(int offered) {
            Reason reason = reason();
            if (reason == Reason.BAD_MESSAGE && !FIRST.include(offered)) {
                return FIRST;
            }
            int at = body.position() + reason.name().length();
            if (reason != Reason.VERSION || body.limit() - at < 3) {
                return null;
            }
            int oldest = body.get(at + 1) & 0xff;
            int newest = body.get(at + 2) & 0xff;
            return oldest < 1 || newest < oldest ? null : new Versions(oldest, newest);
        }

        /** @param version the version of the offer */
        public ByteBuffer encode(int version) {
            ByteBuffer out = ByteBuffer.allocate(MAX_BYTES);
            out.putInt(MAGIC).put((byte) version).put(ANSWER).put(status).put(body.duplicate());
            return out.flip();
        }

        /**
         * Reads an answer. An answer that declines is the same in all versions: its sender may not speak the version of the offer.
         *
         * @param offered the version of the offer
         * @return null if the message is no answer to an offer of that version
         */
        public static Answer decode(int offered, ByteBuffer in) {
            try {
                if (in.getInt() != MAGIC) {
                    return null;
                }
                int version = in.get() & 0xff;
                if (in.get() != ANSWER) {
                    return null;
                }
                byte status = in.get();
                boolean known = status >= JOINED && status <= STALE_OFFER && (version == offered || status == DECLINED);
                return known ? new Answer(status, in) : null;
            } catch (BufferUnderflowException e) {
                return null;
            }
        }
    }

    private Message() {
    }
}
