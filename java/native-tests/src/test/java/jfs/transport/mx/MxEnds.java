package jfs.transport.mx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import jfs.mx.MxEndpoint;
import jfs.nativelib.Posix;
import jfs.spi.FastPath;
import jfs.spi.TcpDescriptor;
import jfs.spi.Transport;
import jfs.testing.Await;

/** Two endpoints in this process, and connections between them. A pair of Unix sockets takes TCP's place. */
final class MxEnds implements AutoCloseable {

    private static final int VERSION = 1;
    private static final int MESSAGE_MAX = 32 << 10;
    private static final int POLL_MICROS = 80;
    private static final AtomicInteger NAMES = new AtomicInteger();

    final MxEndpoint near = MxEndpoint.open(MESSAGE_MAX);
    final MxEndpoint far = MxEndpoint.open(MESSAGE_MAX);
    private boolean farClosed;

    MxEnds() throws IOException {
    }

    /** One end, as its socket uses it. */
    static final class End implements TcpDescriptor {
        final FastPath path;
        private int fd;

        End(FastPath path, int fd) {
            this.path = path;
            this.fd = fd;
        }

        @Override
        public int acquire() {
            return fd;
        }

        @Override
        public void release() {
        }

        @Override
        public boolean hasEvent() {
            return Posix.poll(fd, Posix.POLLIN, -1, 0, 0) != 0;
        }

        /** Writes all bytes. Waits if there is no room. */
        void write(byte[] bytes) throws IOException {
            for (int at = 0; at < bytes.length;) {
                int n = path.send(bytes, at, bytes.length - at);
                at += n > 0 ? n : path.sendOrAwaitRoom(this, bytes, at, bytes.length - at);
            }
        }

        /** Writes as many bytes as fit without a wait, and returns their number. */
        int writeUnread(byte[] bytes) throws IOException {
            int at = 0;
            for (int n = 1; n > 0 && at < bytes.length; at += n) {
                n = path.send(bytes, at, bytes.length - at);
            }
            return at;
        }

        /** @return the number of bytes, or another result of {@link FastPath#receive}, but never {@link FastPath#TCP_EVENT} */
        int read(byte[] into, int offset) throws IOException {
            for (;;) {
                int n = path.switchedAt() < 0 ? 0 : path.receive(into, offset, into.length - offset);
                if (n != 0) {
                    return n;
                }
                assertEquals(0, path.awaitData(this, 0), "an event on TCP");
            }
        }

        byte[] read(int length) throws IOException {
            byte[] bytes = new byte[length];
            for (int at = 0; at < length;) {
                int n = read(bytes, at);
                assertEquals(true, n > 0, () -> "ended by " + n);
                at += n;
            }
            return bytes;
        }

        void writeTcp(int b) {
            assertEquals(1, Posix.send(fd, new byte[] {(byte) b}, 1));
        }

        /** Ends TCP. */
        void closeTcp() {
            if (fd >= 0) {
                Posix.close(fd);
                fd = -1;
            }
        }

        /** Does what a socket's close does. */
        void close() {
            path.finish(false);
            path.closeReceiver();
            path.wake();
            path.retireReceiver();
            path.retireSender();
        }
    }

    /** A connection. */
    final class Connection implements AutoCloseable {
        final End near;
        final End far;

        Connection() throws IOException {
            this(17, 17);
        }

        Connection(long nonce, long peersNonce) throws IOException {
            this(nonce, peersNonce, true);
        }

        /** @param completed whether the near end gets the answer; else it has no path */
        Connection(long nonce, long peersNonce, boolean completed) throws IOException {
            Transport.Offer offer = new MxTransport(() -> MxEnds.this.near, POLL_MICROS).offer(VERSION, nonce, "far");
            ByteBuffer description = ByteBuffer.allocate(64);
            offer.describe(description);
            Transport.Joined joined =
                    new MxTransport(() -> MxEnds.this.far, POLL_MICROS).join(VERSION, description.flip(), peersNonce);
            ByteBuffer answer = ByteBuffer.allocate(64);
            joined.answer(answer);
            String name = "jfs-test/" + ProcessHandle.current().pid() + "/" + NAMES.incrementAndGet();
            int listener = Posix.unixListen(name, 1);
            if (!completed) {
                offer.abandon();
            }
            near = new End(completed ? offer.complete(answer.flip()) : null, Posix.unixConnect(null, name));
            far = new End(joined.path(), Posix.accept(listener));
            Posix.close(listener);
        }

        /** Switches both directions. Before the switch the near one has carried 5 bytes, and the far one none. */
        Connection switched() throws Exception {
            near.path.ready();
            far.path.ready();
            Await.until("ready", () -> near.path.peerReady() && far.path.peerReady());
            near.path.switchAt(5);
            far.path.switchAt(0);
            return this;
        }

        @Override
        public void close() {
            if (near.path != null) {
                near.close();
            }
            far.close();
            near.closeTcp();
            far.closeTcp();
        }
    }

    /** Asserts that all that the connections held is given back, and that no end waits for an acknowledgement any more. */
    void assertNothingLeft() throws Exception {
        for (MxEndpoint endpoint : new MxEndpoint[] {near, far}) {
            Await.until(() -> endpoint.channels() + " channels, " + endpoint.buffersInUse() + " buffers",
                    () -> endpoint.channels() == 0 && endpoint.buffersInUse() == MxEndpoint.RECEIVES);
        }
    }

    /** Ends the far endpoint as a peer's process ends: messages that are not yet sent are lost. */
    void killFar() throws IOException {
        farClosed = true;
        far.close();
    }

    @Override
    public void close() throws IOException {
        near.close();
        if (!farClosed) {
            far.close();
        }
    }
}
