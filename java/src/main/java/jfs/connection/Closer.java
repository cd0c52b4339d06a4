package jfs.connection;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.util.concurrent.TimeUnit;
import jfs.spi.FastPath;
import jfs.steps.Step;
import jfs.transport.tcp.TcpEnd;
import jfs.wait.Deadline;

/** Closes a connection that has a fast path, once, so that the peer sees the same as when a TCP socket is closed. */
final class Closer {

    private final FastPath path;
    private final TcpEnd tcp;
    private final Reader reader;
    private final Writer writer;

    Closer(FastPath path, TcpEnd tcp, Reader reader, Writer writer) {
        this.path = path;
        this.tcp = tcp;
        this.reader = reader;
        this.writer = writer;
    }

    /**
     * Blocks as the kernel does if SO_LINGER is above 0.
     *
     * @param unread whether the path has bytes that the program has not read
     */
    void close(boolean unread) throws IOException {
        int linger = linger();
        boolean resetAtOnce = unread && !tcp.showsEndBeforeReset();
        boolean reset = linger == 0 || resetAtOnce;
        long deadline = linger > 0 ? System.nanoTime() + TimeUnit.SECONDS.toNanos(linger) | 1 : Deadline.NONE;
        try {
            path.finish(reset); // before TCP's end: a peer that sees TCP's end first takes this process for dead (END-3)
            path.tcpCloses(tcp); // before resetAfterEnd, which ends TCP's output: then TCP's state no longer tells of the peer
            if (path.isBroken() || resetAtOnce) { // the path can't tell the peer; or TCP does not know of the bytes in the path
                resetByClosing();
            } else if (unread && !reset) {
                resetAfterEnd();
            }
        } finally {
            try {
                tcp.closeWhenUnused();
                Step.TCP_CLOSED.reached();
            } finally {
                leavePath(unread ? Deadline.NONE : deadline);
            }
        }
    }

    private int linger() {
        try {
            return tcp.getOption(StandardSocketOptions.SO_LINGER);
        } catch (IOException e) {
            return -1;
        }
    }

    /** Does what a close with unread bytes does over TCP. The kernel does not do it here, as the bytes are in the path (END-2). */
    private void resetAfterEnd() {
        shutdownOutput(tcp);
        resetByClosing();
    }

    private void resetByClosing() {
        try {
            tcp.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            // The socket is closed already, so it can't be reset.
        }
    }

    /** Does TCP's part of shutting the output down, after the path's part. */
    static void shutdownOutput(TcpEnd tcp) {
        try {
            tcp.shutdownOutput();
        } catch (IOException e) {
            // The socket was closed meanwhile, so TCP's output has ended too.
        }
    }

    /**
     * Called after TCP's end, because the peer's writer asks TCP about what the path tells it.
     *
     * @param lingering until when to wait until the peer has what was sent; NONE: not at all, because it is delivered anyway (END-5)
     */
    private void leavePath(long lingering) {
        try {
            path.closeReceiver();
        } finally {
            try {
                path.wake();
                if (lingering != Deadline.NONE) {
                    path.awaitDelivered(lingering);
                }
            } finally {
                try {
                    reader.retire();
                } finally {
                    writer.retire();
                }
            }
        }
        Step.HALVES_RETIRED.reached();
    }
}
