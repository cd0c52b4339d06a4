package jfs.negotiation;

import java.nio.ByteBuffer;
import jfs.nativelib.Posix;
import jfs.stat.Reason;
import jfs.wait.EventLoop;

/**
 * A TCP connection between the rendezvous of two hosts, which carries frames by turns: whoever sends a second one unasked,
 * or one that is longer than {@link HostMessage#MAX_BYTES}, is hung up on. On the event loop's thread; nothing blocks.
 */
final class HostChannel {

    /** What becomes of it. */
    interface Listener {

        /** There is a frame. */
        void received(ByteBuffer frame);

        /** It is closed: the peer is gone (HUNG_UP), was silent for too long (NO_ANSWER) or out of turn (BAD_MESSAGE). */
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

    /** @param fd a connected socket, which is this channel's from now on */
    HostChannel(EventLoop loop, int fd, Listener listener) {
        this.loop = loop;
        this.fd = fd;
        this.listener = listener;
    }

    /**
     * Listens to the peer.
     *
     * @throws IllegalStateException if the kernel won't watch it; it is closed then
     */
    void open() {
        try {
            tag = loop.watch(fd, Posix.POLLIN, events -> read());
        } catch (IllegalStateException e) {
            close();
            throw e;
        }
    }

    /** The peer has to say something by then. */
    void expectWithin(long millis) {
        if (deadline != null) {
            deadline.cancel();
        }
        deadline = loop.after(millis, () -> hangUp(Reason.NO_ANSWER));
    }

    /** A frame; a peer whose buffers are full, with a few hundred bytes in all, or who has gone, is hung up on. */
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
