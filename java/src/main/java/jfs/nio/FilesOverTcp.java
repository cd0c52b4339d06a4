package jfs.nio;

import jfs.nativelib.Posix;
import jfs.transport.tcp.TcpEnd;

/**
 * The files that the program sends by a connection's descriptor ({@code sendfile}), past its {@link jfs.connection.Writer}. Nobody counts their bytes, but
 * the kernel knows how many bytes TCP has taken in all. So the direction can still switch (SWITCH-2), at a time when no file is on its way.
 *
 * <p>The Writer learns when a thread is about to send a file, and not when it has done so. But if that thread writes to the connection, it is
 * not sending a file. Used under the write lock.
 */
final class FilesOverTcp {

    /** The thread that may be sending a file; null if there is none. */
    private Thread sender;

    /**
     * The calling thread is about to send a file.
     *
     * @return false if another thread may be doing so too: then the direction stays on TCP, because one of them would always be about to
     */
    boolean begin() {
        boolean alone = !mayBeOnTheirWay();
        sender = Thread.currentThread();
        return alone;
    }

    /** Whether a thread may be sending a file. The caller is not. */
    boolean mayBeOnTheirWay() {
        if (sender == Thread.currentThread()) {
            sender = null;
        }
        return sender != null;
    }

    /**
     * How many bytes have gone over TCP. No file is on its way, and no other thread writes.
     *
     * @param counted as many at least
     * @return -1 if the kernel can't tell
     */
    long allBytes(TcpEnd tcp, long counted) {
        int fd = tcp.acquire();
        if (fd < 0) {
            return -1;
        }
        try {
            long all = Posix.tcpSent(fd) - (tcp.isAccepted() ? 0 : 1); // the SYN of the end that has connected
            return all < counted ? -1 : all;
        } finally {
            tcp.release();
        }
    }
}
