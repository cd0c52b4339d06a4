package jfs.negotiation;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import jfs.stat.Reason;

/**
 * The two messages of the rendezvous, version 1. Each is one SEQPACKET message; integers are big-endian.
 *
 * <pre>
 * offer                                        answer
 *   int   MAGIC "JFS1"                           int   MAGIC
 *   byte  version                                byte  version
 *   byte  OFFER                                  byte  ANSWER
 *   byte  flags: EARLY                           byte  status: JOINED, NOT_MINE, DECLINED
 *   long  nonce                                  if JOINED:
 *   48 B  tuple, as the offering end sees it       the transport's answer, to the end
 *   byte  n, n bytes: transport's name, ASCII    if DECLINED:
 *   the transport's description, to the end        the name of the {@link Reason}, ASCII, to the end
 * </pre>
 */
final class Message {

    static final int MAX_BYTES = 256;
    static final int MAGIC = 0x4a465331;
    static final byte VERSION = 1;
    private static final byte OFFER = 1;
    private static final byte ANSWER = 2;
    private static final byte EARLY = 1;

    static final byte JOINED = 0;
    static final byte NOT_MINE = 1;
    static final byte DECLINED = 2;

    /**
     * @param early the server program may not have accepted the connection yet
     * @param description positioned at its first byte
     */
    record Offer(boolean early, long nonce, Tuple tuple, String transport, ByteBuffer description) {

        ByteBuffer encode() {
            byte[] name = transport.getBytes(StandardCharsets.US_ASCII);
            ByteBuffer out = ByteBuffer.allocate(MAX_BYTES);
            out.putInt(MAGIC).put(VERSION).put(OFFER).put(early ? EARLY : 0).putLong(nonce);
            tuple.write(out);
            out.put((byte) name.length).put(name).put(description.duplicate());
            return out.flip();
        }

        /** Null if it is no offer of this version. */
        static Offer decode(ByteBuffer in) {
            try {
                if (in.getInt() != MAGIC || in.get() != VERSION || in.get() != OFFER) {
                    return null;
                }
                byte flags = in.get();
                long nonce = in.getLong();
                Tuple tuple = Tuple.read(in);
                byte[] name = new byte[in.get() & 0xff];
                in.get(name);
                return new Offer((flags & EARLY) != 0, nonce, tuple, new String(name, StandardCharsets.US_ASCII), in);
            } catch (BufferUnderflowException e) {
                return null;
            }
        }
    }

    /** @param body what the status asks for */
    record Answer(byte status, ByteBuffer body) {

        static Answer joined(ByteBuffer transportsAnswer) {
            return new Answer(JOINED, transportsAnswer);
        }

        static Answer notMine() {
            return new Answer(NOT_MINE, ByteBuffer.allocate(0));
        }

        static Answer declined(Reason reason) {
            return new Answer(DECLINED, StandardCharsets.US_ASCII.encode(reason.name()));
        }

        /** Why it was declined; DECLINED if the peer gives no reason that is known here. */
        Reason reason() {
            String name = StandardCharsets.US_ASCII.decode(body).toString();
            return Stream.of(Reason.values()).filter(r -> r.name().equals(name)).findFirst().orElse(Reason.DECLINED);
        }

        ByteBuffer encode() {
            ByteBuffer out = ByteBuffer.allocate(MAX_BYTES);
            out.putInt(MAGIC).put(VERSION).put(ANSWER).put(status).put(body.duplicate());
            return out.flip();
        }

        /** Null if it is no answer of this version. */
        static Answer decode(ByteBuffer in) {
            try {
                if (in.getInt() != MAGIC || in.get() != VERSION || in.get() != ANSWER) {
                    return null;
                }
                byte status = in.get();
                return status < JOINED || status > DECLINED ? null : new Answer(status, in);
            } catch (BufferUnderflowException e) {
                return null;
            }
        }
    }

    private Message() {
    }
}
