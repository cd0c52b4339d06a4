package jfs.conformance.harness;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The streams of a channel in non-blocking mode. A call that has to wait does so in a selector: reads wait in one, and writes in another
 * one. The channel is registered with both from the beginning to its close. One thread at a time uses a selector. It keeps the selector
 * until its call is done, so the other threads wait for it.
 */
final class ChannelStreams {

    /** A larger write would make the JDK copy all of the array each time it passes a part to the kernel. */
    private static final int PART = 128 << 10;

    private final SocketChannel channel;
    /** Of the channel's adaptor. It knows how many bytes are there, in either mode. */
    private final InputStream ofAdaptor;
    private final Selector reads;
    private final Selector writes;
    private final ReentrantLock reading = new ReentrantLock();
    private final ReentrantLock writing = new ReentrantLock();
    private final InputStream in = new In();
    private final OutputStream out = new Out();
    private volatile int timeoutMillis;

    /** @param channel a connected channel. It is in non-blocking mode from now on */
    ChannelStreams(SocketChannel channel) throws IOException {
        this.channel = channel;
        this.ofAdaptor = channel.socket().getInputStream();
        channel.configureBlocking(false);
        this.reads = registered(SelectionKey.OP_READ);
        this.writes = registered(SelectionKey.OP_WRITE);
    }

    private Selector registered(int operation) throws IOException {
        Selector selector = channel.provider().openSelector();
        channel.register(selector, operation);
        return selector;
    }

    InputStream in() {
        return in;
    }

    OutputStream out() {
        return out;
    }

    /** The time that a read waits. 0 is for ever. */
    void timeout(int millis) {
        timeoutMillis = millis;
    }

    /** Sends an urgent byte after the writes before it. The adaptor does not wait for room. */
    void sendUrgentData(int data) throws IOException {
        inTurn(writing, writes, 0, () -> {
            try {
                channel.socket().sendUrgentData(data);
                return 1;
            } catch (IOException e) {
                if ("Socket buffer full".equals(e.getMessage())) {
                    return 0;
                }
                throw e;
            }
        });
    }

    /** Closes the channel, then the selectors. The descriptor is closed when no selector has the channel any more. */
    void close() throws IOException {
        channel.close();
        reads.close();
        writes.close();
    }

    /** A part of a call that does not wait. */
    private interface Attempt {
        /** @return the result of the call, or 0 if the call has to wait */
        int run() throws IOException;
    }

    /** Attempts again and again, and waits meanwhile. An interrupt changes nothing, and its status is kept. */
    private int inTurn(ReentrantLock turn, Selector selector, long millis, Attempt attempt) throws IOException {
        turn.lock();
        boolean begun = false;
        boolean interrupted = false;
        try {
            begun = channel.isOpen();
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            for (;;) {
                int result = attempt.run();
                if (result != 0) {
                    return result;
                }
                long rest = millis == 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime() + 999_999);
                if (millis > 0 && rest <= 0) {
                    throw new SocketTimeoutException("Read timed out");
                }
                selector.select(rest);
                selector.selectedKeys().clear();
                interrupted |= Thread.interrupted(); // else the next select would return at once
            }
        } catch (ClosedChannelException | ClosedSelectorException e) {
            if (begun && !channel.isOpen()) {
                throw new AsynchronousCloseException();
            }
            throw e;
        } finally {
            turn.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private final class In extends InputStream {

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, into.length);
            if (length == 0) {
                return 0;
            }
            ByteBuffer bytes = ByteBuffer.wrap(into, offset, Math.min(length, PART));
            return inTurn(reading, reads, timeoutMillis, () -> channel.read(bytes));
        }

        @Override
        public int available() throws IOException {
            return ofAdaptor.available();
        }

        @Override
        public void close() throws IOException {
            ChannelStreams.this.close();
        }
    }

    private final class Out extends OutputStream {

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, from.length);
            if (length == 0) {
                return;
            }
            ByteBuffer bytes = ByteBuffer.wrap(from, offset, length);
            int end = offset + length;
            inTurn(writing, writes, 0, () -> {
                do {
                    bytes.limit(Math.min(end, bytes.position() + PART));
                    if (channel.write(bytes) == 0) {
                        return 0;
                    }
                } while (bytes.position() < end);
                return 1;
            });
        }

        @Override
        public void close() throws IOException {
            ChannelStreams.this.close();
        }
    }
}
