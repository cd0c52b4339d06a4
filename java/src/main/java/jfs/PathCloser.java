package jfs;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.util.concurrent.TimeUnit;
import jfs.spi.FastPath;
import jfs.steps.Step;
import jfs.transport.tcp.TcpEnd;
import jfs.transport.tcp.TcpSocket;
import jfs.wait.Deadline;

/** Closes a socket that has a fast path, once, so that its peer sees what it would see of TCP's close. */
final class PathCloser {

    private final FastPath path;
    private final TcpEnd tcp;
    private final SocketInputStream in;
    private final SocketOutputStream out;

    PathCloser(FastPath path, TcpEnd tcp, SocketInputStream in, SocketOutputStream out) {
        this.path = path;
        this.tcp = tcp;
        this.in = in;
        this.out = out;
    }

    /**
     * Blocks as the kernel does for SO_LINGER above 0.
     *
     * @param unread whether there are bytes in the path that nobody has read
     */
    void close(boolean unread) throws IOException {
        int linger = linger();
        boolean reset = linger == 0;
        long deadline = linger > 0 ? System.nanoTime() + TimeUnit.SECONDS.toNanos(linger) | 1 : Deadline.NONE;
        try {
            path.finish(reset); // before TCP's end: a peer that sees TCP end first takes us for dead (END-3)
            if (path.isBroken()) { // the path tells nobody
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

    /** What the kernel makes of closing a socket with unread bytes, which TCP has none of: these are in the path (END-2). */
    private void resetAfterEnd() {
        shutdownOutput(tcp);
        resetByClosing();
    }

    private void resetByClosing() {
        try {
            tcp.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            // Then it is no socket any more that could be reset.
        }
    }

    /** TCP's part of ending the output, when the path's part is done. */
    static void shutdownOutput(TcpSocket tcp) {
        try {
            tcp.shutdownOutput();
        } catch (IOException e) {
            // Closed meanwhile: then TCP's output has ended too.
        }
    }

    /**
     * After TCP's end: what a writer hears of, it asks TCP about.
     *
     * @param lingering until when to wait for the peer to have what was sent; NONE: not at all, it is delivered anyway (END-5)
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
                    in.retire();
                } finally {
                    out.retire();
                }
            }
        }
        Step.HALVES_RETIRED.reached();
    }
}
