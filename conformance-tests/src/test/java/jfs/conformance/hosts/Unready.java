package jfs.conformance.hosts;

import java.io.IOException;
import java.nio.ByteBuffer;
import jfs.nativelib.Posix;
import jfs.spi.FastPath;
import jfs.spi.TcpDescriptor;
import jfs.spi.Transport;
import jfs.wait.Sleepers;

/**
 * Takes MX's place in tests of the negotiation only. It can be offered and joined. Its receivers are never ready, so the
 * bytes stay on TCP.
 */
final class Unready implements Transport {

    private final boolean broken;

    /** @param broken whether its paths fail as soon as they exist */
    Unready(boolean broken) {
        this.broken = broken;
    }

    @Override
    public String name() {
        return "mx";
    }

    @Override
    public Offer offer(int version, long nonce, String peer) {
        return new Offer() {
            @Override
            public void describe(ByteBuffer out) {
                out.putLong(nonce);
            }

            @Override
            public FastPath complete(ByteBuffer answer) throws IOException {
                return new Path(nonce, answer);
            }

            @Override
            public void abandon() {
            }
        };
    }

    @Override
    public Joined join(int version, ByteBuffer description, long nonce) throws IOException {
        Path path = new Path(nonce, description);
        return new Joined() {
            @Override
            public FastPath path() {
                return path;
            }

            @Override
            public void answer(ByteBuffer out) {
                out.putLong(nonce);
            }
        };
    }

    private final class Path implements FastPath {
        private final int bell = Posix.eventCreate();
        private boolean receiverRetired;
        private boolean senderRetired;

        /** @param said what the peer has said */
        Path(long nonce, ByteBuffer said) throws IOException {
            if (said.remaining() != Long.BYTES || said.getLong() != nonce) {
                throw new IOException("another nonce");
            }
        }

        @Override
        public String transport() {
            return "mx";
        }

        @Override
        public void ready() {
        }

        @Override
        public long switchedAt() {
            return -1;
        }

        @Override
        public int receive(byte[] into, int offset, int length) {
            return 0;
        }

        @Override
        public int available() {
            return 0;
        }

        @Override
        public boolean readable() {
            return false;
        }

        @Override
        public boolean writable() {
            return false;
        }

        @Override
        public int awaitData(TcpDescriptor tcp, long deadline) {
            int fd = tcp.acquire();
            if (fd < 0) {
                return 0;
            }
            try {
                int millis = deadline == 0 ? -1 : (int) Math.max(0, (deadline - System.nanoTime()) / 1_000_000 + 1);
                return (Posix.poll(fd, Posix.POLLIN, bell, Posix.POLLIN, millis) & 0xffff) != 0 ? TCP_EVENT : 0;
            } finally {
                tcp.release();
            }
        }

        @Override
        public int lookForData(TcpDescriptor tcp) {
            return Sleepers.look(tcp, Posix.POLLIN) != 0 ? TCP_EVENT : 0;
        }

        @Override
        public boolean peerReady() {
            return false;
        }

        @Override
        public void switchAt(long count) {
            throw new IllegalStateException("its peer is never ready");
        }

        @Override
        public int send(byte[] from, int offset, int length) {
            throw new IllegalStateException("its peer is never ready");
        }

        @Override
        public int sendOrAwaitRoom(TcpDescriptor tcp, byte[] from, int offset, int length) {
            throw new IllegalStateException("its peer is never ready");
        }

        @Override
        public void trim(boolean idle) {
        }

        @Override
        public boolean peerTakesUrgent() {
            return false;
        }

        @Override
        public boolean peerGone() {
            return false;
        }

        @Override
        public boolean peerReset() {
            return false;
        }

        @Override
        public boolean isBroken() {
            return broken;
        }

        @Override
        public void takeUrgent(boolean inline) {
        }

        @Override
        public void finish(boolean reset) {
        }

        @Override
        public void closeReceiver() {
        }

        @Override
        public void wake() {
            Posix.eventSignal(bell);
        }

        @Override
        public synchronized void retireReceiver() {
            receiverRetired = retire(receiverRetired, senderRetired);
        }

        @Override
        public synchronized void retireSender() {
            senderRetired = retire(senderRetired, receiverRetired);
        }

        private boolean retire(boolean already, boolean other) {
            if (!already && other) {
                Posix.close(bell);
            }
            return true;
        }
    }
}
