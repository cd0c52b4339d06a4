package jfs.negotiation.handshake.remote;

import java.nio.ByteBuffer;
import jfs.nativelib.Posix;
import jfs.stat.Reason;
import jfs.threads.EventLoop;

/**
 * A TCP connection that carries the frames of one conversation between hosts. The two ends take turns. The channel hangs up on a peer
 * process that sends bytes behind a frame, or a frame longer than {@link HostMessage#MAX_BYTES}. Only the event loop's thread calls the
 * methods. None of them blocks.
 */
final class HostChannel {

    /** Told of frames, and of the end of the channel. */
    interface Listener {

        /** A frame has come. */
        void received(ByteBuffer frame);

        /**
         * The channel is closed: the peer process has closed the connection or takes no frames (HUNG_UP), was silent for too long
         * (NO_ANSWER), or has sent too much (BAD_MESSAGE).
         */
        void hungUp(Reason why);
    }

    private static final int LENGTH_BYTES = 2;

    private final EventLoop loop;
    private final Listener listener;
    private final byte[] in = new byte[LENGTH_BYTES + HostMessage.MAX_BYTES];
    private int count;
    private int fd;
    private long tag;
    private EventLoop.Timer deadline;

    /** @param fd a connected socket, which this channel owns from now on */
    HostChannel(EventLoop loop, int fd, Listener listener) {
        this.loop = loop;
        this.fd = fd;
        this.listener = listener;
    }

    /**
     * Begins to receive frames.
     *
     * @throws IllegalStateException if the kernel refuses to watch the socket; then the channel is closed
     */
    void open() {
        try {
            tag = loop.watch(fd, Posix.POLLIN, events -> read());
        } catch (IllegalStateException e) {
            close();
            throw e;
        }
    }

    /**
     * Hangs up after that time (NO_ANSWER), unless this is called again or the channel is closed before. A frame that comes does not
     * cancel it.
     */
    void expectWithin(long millis) {
        if (deadline != null) {
            deadline.cancel();
        }
        deadline = loop.after(millis, () -> hangUp(Reason.NO_ANSWER));
    }

    /**
     * Sends a frame. If the kernel does not take all of it, the channel hangs up: the peer process has closed the connection, or has not
     * read the few hundred bytes that a conversation has in all.
     */
    void send(ByteBuffer payload) {
        ByteBuffer frame = ByteBuffer.allocate(LENGTH_BYTES + payload.remaining());
        frame.putShort((short) payload.remaining()).put(payload.duplicate());
        if (fd >= 0 && Posix.send(fd, frame.array(), frame.limit()) != frame.limit()) {
            loop.execute(() -> hangUp(Reason.HUNG_UP)); // not inside the caller's step
        }
    }

    private void read() {
        byte[] piece = new byte[in.length - count];
        int n = Posix.receive(fd, piece);
        if (n == -Posix.EAGAIN) {
            return;
        }
        if (n <= 0) {
            hangUp(Reason.HUNG_UP);
            return;
        }
        System.arraycopy(piece, 0, in, count, n);
        count += n;
        int length = count < LENGTH_BYTES ? 0 : ByteBuffer.wrap(in).getShort() & 0xffff;
        if (length > HostMessage.MAX_BYTES || count > LENGTH_BYTES && count > LENGTH_BYTES + length) {
            hangUp(Reason.BAD_MESSAGE);
        } else if (count >= LENGTH_BYTES && count == LENGTH_BYTES + length) {
            count = 0;
            ByteBuffer frame = ByteBuffer.allocate(length).put(in, LENGTH_BYTES, length).flip();
            listener.received(frame);
        }
    }

    private void hangUp(Reason why) {
        if (fd >= 0) {
            close();
            listener.hungUp(why);
        }
    }

    boolean isOpen() {
        return fd >= 0;
    }

    /** Idempotent. */
    void close() {
        if (fd < 0) {
            return;
        }
        if (deadline != null) {
            deadline.cancel();
        }
        if (tag != 0) {
            loop.unwatch(fd, tag);
        }
        Posix.close(fd);
        fd = -1;
    }
}
