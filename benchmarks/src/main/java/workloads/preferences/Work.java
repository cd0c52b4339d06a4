package workloads.preferences;

import java.util.concurrent.TimeUnit;

/** What a client does with a connection. */
public enum Work {
    SENT_5(Kind.SENT, 64, 5, "64 bytes every 5 us"),
    SENT_20(Kind.SENT, 64, 20, "64 bytes every 20 us"),
    SENT_60(Kind.SENT, 64, 60, "64 bytes every 60 us"),
    ANSWERED(Kind.ANSWERED, 64, 0, "64 bytes there and back"),
    SERVED(Kind.SERVED, 64, 0, "a request that takes 150 to 250 us"),
    ECHO_64K(Kind.ANSWERED, 64 << 10, 0, "64 KB there and back"),
    ECHO_1M(Kind.ANSWERED, 1 << 20, 0, "1 MB there and back"),
    STREAM_64K(Kind.SENT, 64 << 10, 0, "stream of 64 KB each"),
    STREAM_1M(Kind.SENT, 1 << 20, 0, "stream of 1 MB each");

    /** What becomes of a message. The number is the message's first byte. */
    enum Kind {
        /** The server takes the message. It answers none but the last one of a turn. */
        SENT(0),
        /** The server sends the message back. */
        ANSWERED(1),
        /** The server computes for a while, then sends the message back. */
        SERVED(2);

        private final byte code;

        Kind(int code) {
            this.code = (byte) code;
        }

        byte code() {
            return code;
        }
    }

    private final Kind kind;
    private final int bytes;
    private final int gapMicros;
    private final String title;

    Work(Kind kind, int bytes, int gapMicros, String title) {
        this.kind = kind;
        this.bytes = bytes;
        this.gapMicros = gapMicros;
        this.title = title;
    }

    Kind kind() {
        return kind;
    }

    /** Bytes of a message. */
    public int bytes() {
        return bytes;
    }

    /** Nanoseconds that the client computes after each message. */
    long gapNanos() {
        return TimeUnit.MICROSECONDS.toNanos(gapMicros);
    }

    public String title() {
        return title;
    }
}
