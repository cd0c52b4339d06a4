package jfs.connection;

import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import jfs.monitor.ConnectionTable;
import jfs.spi.FastPath;
import jfs.stat.Stats;
import jfs.wait.Deadline;

/**
 * The state of the sending half of a connection: its phase, whether there is room, and what becomes of bytes for a peer that has gone. Its
 * bytes go over TCP until a write finds that the peer's receiver is ready:
 *
 * <pre>
 *          a write finds the peer ready              a write finds that the peer has gone
 *   TCP ---------------------------------&gt; FAST -------------------------------------------&gt; BROKEN
 *    |                                       |                                                  |  TCP decides what becomes
 *    | a TCP write threw,                    | the output is shut down: FIN is in the path,     |  of each further byte
 *    | an urgent byte, or a file             | then TCP's output ends                           |
 *    v                                       +--------------------&gt; ENDED &lt;---------------------+
 *   TCP_ONLY
 * </pre>
 *
 * <p>Only the holder of the write lock changes the phase. The phase never goes back. Before the switch, to shut down the output is TCP's
 * own matter, and the phase stays. BROKEN means that TCP has had its first write to a peer that has gone, or that the path has failed
 * because the peer has died.
 */
abstract class WriterState extends OutputStream {

    enum Phase {
        TCP, TCP_ONLY, FAST, BROKEN, ENDED;

        /** Whether the direction has switched. */
        boolean hasSwitched() {
            return this != TCP && this != TCP_ONLY;
        }
    }

    final Connection connection;
    /** The write lock of the TCP socket. */
    final ReentrantLock lock;

    /** Written under the lock. */
    volatile Phase phase = Phase.TCP;
    volatile boolean shut;
    /** TCP's output is shut down too, so no byte can leave by TCP any more. */
    volatile boolean tcpShut;

    // Guarded by lock.
    /** The connection's path; null before the switch. */
    FastPath path;
    /** The bytes that have gone over TCP, without those of files. */
    long sent;
    /** Whether a wait for an error of TCP was in vain, because a device on the way has lost the connection. */
    private boolean tcpIsMute;

    WriterState(Connection connection, ReentrantLock lock) {
        this.connection = connection;
        this.lock = lock;
    }

    final void become(Phase next) {
        phase = next;
        ConnectionTable.writerPhase(connection.row(), next.ordinal());
    }

    /** @return the path by which the next byte goes; null if it goes over TCP */
    final FastPath pathOfNextByte() {
        FastPath fast = connection.path();
        boolean may = phase == Phase.TCP && !connection.isClosed(); // after a close its memory may have been freed
        return path != null || may && fast != null && fast.peerReady() ? fast : null;
    }

    /** Whether a write would take a byte or throw at once. */
    final boolean isWritable(NonBlockingCall call) throws IOException {
        if (connection.isClosed() || shut) {
            return true;
        }
        FastPath fast = pathOfNextByte();
        if (fast == null) {
            return connection.tcp().isWritable();
        }
        return isWritableInPath(call) || !fast.peerGone() && connection.tcp().hasError(0);
    }

    /** As {@link #isWritable}, as far as the path tells; false if the next byte goes over TCP. */
    final boolean isWritableInPath(NonBlockingCall call) throws IOException {
        if (connection.isClosed() || shut) {
            return connection.path() != null;
        }
        FastPath fast = pathOfNextByte();
        if (fast == null) {
            return false;
        }
        if (fast.peerGone()) { // TCP takes the first write, unless the path knows of a reset
            boolean first = phase == Phase.TCP || phase == Phase.FAST;
            return first && !fast.peerReset() || errorIsKnown(call);
        }
        return fast.writable();
    }

    /**
     * Writes to a peer that has gone, or after shutdownOutput. TCP decides what becomes of the bytes. The kernel takes the first write
     * after the peer's clean close. It reports a reset only once, to the reader or the writer.
     */
    final int writeToGonePeer(byte[] from, int offset, int length) throws IOException {
        int taken = 0;
        if (phase == Phase.FAST && !path.peerReset()) {
            taken = Math.min(length, takenByTcp());
            connection.tcp().write(from, offset, taken);
        }
        if (taken < length) {
            awaitError();
            connection.tcp().write(from, offset + taken, length - taken);
        }
        return length;
    }

    /** As {@link #writeToGonePeer}, but does not wait. @return bytes taken */
    final int tryWriteToGonePeer(NonBlockingCall call) throws IOException {
        ByteBuffer from = call.buffer;
        if (phase == Phase.FAST && !path.peerReset()) {
            int limit = from.limit();
            from.limit(from.position() + Math.min(from.remaining(), takenByTcp()));
            try {
                return connection.tcp().tryWrite(from);
            } finally {
                from.limit(limit);
            }
        }
        if (!errorIsKnown(call)) {
            return 0;
        }
        awaitError();
        return connection.tcp().tryWrite(from);
    }

    /** The first write to a peer that has gone. @return how many bytes TCP takes of it without blocking */
    private int takenByTcp() throws IOException {
        tellIfPeerDied();
        become(Phase.BROKEN);
        return connection.tcp().getOption(StandardSocketOptions.SO_SNDBUF) / 4;
    }

    /** The peer has gone, or the path has failed. The first call tells of a death. */
    final void tellIfPeerDied() {
        if (phase == Phase.FAST && path.peerDied()) {
            become(Phase.BROKEN);
            path.peerHasDied();
            Stats.peerDied(connection.row(), false);
        }
    }

    /** Waits until it is known how TCP ends a write that no process will read. @throws SocketException that ends it, unless TCP does */
    final void awaitError() throws SocketException {
        errorIsKnown(null);
        if (tcpShut) { // TCP knows that
            return;
        }
        if (connection.isClosed()) {
            throw new SocketException("Socket closed");
        }
        if (shut || tcpIsMute) {
            throw new SocketException("Broken pipe");
        }
    }

    /**
     * Whether it is known how a write ends that no process will read. If TCP doesn't know after a second it never will. Then it would take
     * bytes until its buffers are full, and block.
     *
     * @param call looks once; without one the method waits for up to a second, and returns true
     */
    private boolean errorIsKnown(NonBlockingCall call) {
        if (tcpShut || shut || tcpIsMute || (call != null ? connection.tcp().hasError(0) : connection.tcp().awaitError(0, Deadline.NONE))) {
            return true;
        }
        tcpIsMute = call == null || call.isErrorOverdue();
        return tcpIsMute;
    }

    public final boolean isShut() {
        return shut;
    }

    final boolean isTcpShut() {
        return tcpShut;
    }

    /** Called when a caller outside has shut down TCP's output, as after a {@link #shut} that returned false. */
    final void tcpIsShut() {
        tcpShut = true;
    }
}
