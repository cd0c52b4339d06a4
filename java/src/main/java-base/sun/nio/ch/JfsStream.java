package sun.nio.ch;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.spi.JfsEnd;
import java.nio.channels.spi.JfsTcp;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import sun.net.ConnectionResetException;

/**
 * The bytes of a {@link JfsChannel}: they go over TCP, by the JDK's methods, or by JFS's path. Once the channel has connected it has a
 * {@link JfsEnd}, which knows which way they go. A plain connection has none: each method then does what the JDK does.
 *
 * <p>A read or write by the path is the JDK's in all but the bytes: the same lock, the same checks before and after, {@code begin} and
 * {@code end} around what may block. For an accepted channel no constructor of this class runs, so all fields begin with their defaults.
 */
abstract class JfsStream extends SocketChannelImpl implements JfsTcp {

    static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long READ_LOCK = UNSAFE.objectFieldOffset(SocketChannelImpl.class, "readLock");
    private static final long WRITE_LOCK = UNSAFE.objectFieldOffset(SocketChannelImpl.class, "writeLock");
    private static final NativeDispatcher DISPATCHER = new SocketDispatcher();

    /** Null before the channel is connected, and of a plain connection. */
    private volatile JfsEnd end;
    /** Whether {@link #end} has its value for good. */
    private volatile boolean settled;
    /** Whether TCP has been reset while bytes came by the path. Guarded by the read lock. */
    private boolean tcpReset;

    JfsStream(SelectorProvider provider) throws IOException {
        super(provider);
    }

    JfsStream(SelectorProvider provider, ProtocolFamily family) throws IOException {
        super(provider, family);
    }

    /**
     * Makes the end of a channel that has connected. Another thread may find the channel connected before the thread that has connected it
     * calls this method: the first one makes the end. No byte has been read or written before that, so the two locks are free soon. The
     * JDK's connect is not called under them: if it fails it closes the channel, and a closing thread may wait for them.
     */
    final void settleIfConnected() {
        tcpReadLock().lock();
        tcpWriteLock().lock();
        try {
            if (settled || !isConnected()) {
                return;
            }
            settle(JfsFactory.connected(this));
        } finally {
            tcpWriteLock().unlock();
            tcpReadLock().unlock();
        }
        tellSelectors();
    }

    /**
     * Called once, for a channel that has connected, or was accepted. This thread has written the end before it looks whether the channel
     * is open. A closing thread marks the channel as closed before it looks for an end. So at least one of them closes the end.
     */
    final void settle(JfsEnd made) {
        end = made;
        settled = true;
        if (made != null && isOpen()) {
            made.begin();
        } else if (made != null) {
            try {
                made.close();
            } catch (IOException e) {
                // The thread that closes the channel is told of it, as far as the JDK does.
            }
        }
    }

    final boolean isSettled() {
        return settled;
    }

    /** Null before the channel is connected, and of a plain connection. */
    final JfsEnd endNow() {
        return end;
    }

    /** Null for a channel that is not connected, and for a plain connection. */
    final JfsEnd end() {
        JfsEnd it = end;
        if (it == null && !settled && isConnected()) {
            settleIfConnected();
            it = end;
        }
        return it;
    }

    // Reading.

    /** Called by the holder of the read lock. */
    private boolean readsByPath(JfsEnd it) throws IOException {
        if (!isOpen()) { // the JDK's part of the close may come later
            throw new ClosedChannelException();
        }
        return isInputOpen() && it.readsByPath();
    }

    /** What an operation by the path throws: the JDK's operations throw this if the channel is closed meanwhile. */
    private IOException orClosed(SocketException e) {
        return isOpen() ? e : new AsynchronousCloseException();
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        JfsEnd it = end();
        if (it == null || to == null || to.isReadOnly() || !to.hasRemaining()) {
            return super.read(to);
        }
        tcpReadLock().lock();
        try {
            if (readsByPath(it)) {
                return (int) readByPath(it, to, null, 0, 1);
            }
            int n = super.read(to);
            if (n != 0) {
                it.received(to, n);
            }
            return n;
        } finally {
            it.doneReading();
        }
    }

    @Override
    public long read(ByteBuffer[] to, int offset, int length) throws IOException {
        JfsEnd it = end();
        if (it == null) {
            return super.read(to, offset, length);
        }
        Objects.checkFromIndexSize(offset, length, to.length);
        int missing = JfsBuffers.indexOfNull(to, offset, length);
        if (missing >= 0) {
            return super.read(to, missing, 1); // throws
        }
        tcpReadLock().lock();
        try {
            if (JfsBuffers.haveRoom(to, offset, length) && readsByPath(it)) {
                return readByPath(it, null, to, offset, length);
            }
            int[] before = JfsBuffers.positions(to, offset, length);
            long n = super.read(to, offset, length);
            if (n < 0) {
                it.received((ByteBuffer) null, -1);
            } else {
                JfsBuffers.received(it, to, offset, before);
            }
            return n;
        } finally {
            it.doneReading();
        }
    }

    /** @param one the only buffer, or null for the others */
    @DontInline
    private long readByPath(JfsEnd it, ByteBuffer one, ByteBuffer[] to, int offset, int length) throws IOException {
        long start = JfsRecorder.startRead();
        if (start == 0) {
            return fill(it, one, to, offset, length);
        }
        long n = 0;
        boolean failed = true;
        try {
            n = fill(it, one, to, offset, length);
            failed = false;
            return n;
        } finally {
            if (!failed || isOpen()) {
                JfsRecorder.finishRead(start, n, failed, remoteAddress());
            }
        }
    }

    private long fill(JfsEnd it, ByteBuffer one, ByteBuffer[] to, int offset, int length) throws IOException {
        boolean blocking = isBlocking();
        long n = 0;
        try {
            if (blocking) {
                begin();
            }
            n = one != null ? JfsBuffers.fill(it, one, blocking) : JfsBuffers.fill(it, to, offset, length, blocking);
        } catch (SocketException e) {
            throw orClosed(e);
        } finally {
            if (blocking) {
                end(n > 0);
            }
        }
        return n <= 0 && !isInputOpen() ? IOStatus.EOF : n;
    }

    /** A read by the adaptor's stream. */
    @Override
    int blockingRead(byte[] to, int offset, int length, long nanos) throws IOException {
        JfsEnd it = end();
        if (it == null || to == null || length == 0) {
            return super.blockingRead(to, offset, length, nanos);
        }
        Objects.checkFromIndexSize(offset, length, to.length);
        tcpReadLock().lock();
        try {
            int n = 0;
            if (!isBlocking() || !readsByPath(it)) {
                n = super.blockingRead(to, offset, length, nanos);
                if (n != 0) {
                    it.received(to, offset, n);
                }
                return n;
            }
            try {
                begin();
                n = it.read(to, offset, length, nanos);
            } catch (SocketException e) {
                throw orClosed(e);
            } finally {
                end(n > 0);
            }
            return n <= 0 && !isInputOpen() ? IOStatus.EOF : n;
        } finally {
            it.doneReading();
        }
    }

    @Override
    int available() throws IOException {
        JfsEnd it = end();
        if (it == null) {
            return super.available();
        }
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
        return it.available();
    }

    // Writing.

    /** Called by the holder of the write lock. */
    private boolean writesByPath(JfsEnd it) throws IOException {
        if (!isOpen()) { // the JDK's part of the close may come later
            throw new ClosedChannelException();
        }
        return isOutputOpen() && it.writesByPath();
    }

    /** What an operation by the path throws. The JDK's channels tell of a failed write by a plain IOException. */
    private IOException orClosedOutput(JfsEnd it, IOException e) {
        if (!isOpen() || !isOutputOpen() || it.isOutputShut()) {
            return new AsynchronousCloseException();
        }
        return e instanceof SocketException ? new IOException(e.getMessage()) : e;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        JfsEnd it = end();
        if (it == null || from == null || !from.hasRemaining()) {
            return super.write(from);
        }
        tcpWriteLock().lock();
        try {
            if (writesByPath(it)) {
                long start = JfsRecorder.startWrite();
                return start == 0 ? JfsBuffers.write(this, it, from) : (int) writeRecorded(it, new ByteBuffer[] {from}, 0, 1, start);
            }
            int before = it.sending(from);
            int n = -1;
            try {
                n = super.write(from);
            } finally {
                it.sent(before, n);
            }
            return n;
        } finally {
            it.doneWriting();
        }
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        JfsEnd it = end();
        if (it == null) {
            return super.write(from, offset, length);
        }
        Objects.checkFromIndexSize(offset, length, from.length);
        int missing = JfsBuffers.indexOfNull(from, offset, length);
        if (missing >= 0) {
            return super.write(from, missing, 1); // throws
        }
        tcpWriteLock().lock();
        try {
            if (JfsBuffers.remaining(from, offset, length) > 0 && writesByPath(it)) {
                long start = JfsRecorder.startWrite();
                return start == 0 ? JfsBuffers.drain(this, it, from, offset, length) : writeRecorded(it, from, offset, length, start);
            }
            int before = it.sending(from, offset, length);
            long n = -1;
            try {
                n = super.write(from, offset, length);
            } finally {
                it.sent(before, n);
            }
            return n;
        } finally {
            it.doneWriting();
        }
    }

    /** @param start when the write began, of which the flight recorder has one event */
    private long writeRecorded(JfsEnd it, ByteBuffer[] from, int offset, int length, long start) throws IOException {
        long n = 0;
        boolean failed = true;
        try {
            n = length == 1 ? JfsBuffers.write(this, it, from[offset]) : JfsBuffers.drain(this, it, from, offset, length);
            failed = false;
            return n;
        } finally {
            if (!failed || isOpen()) {
                JfsRecorder.finishWrite(start, n, failed, remoteAddress());
            }
        }
    }

    /** Writes one buffer by the path. Its memory is held. */
    @DontInline
    final int writeByPath(JfsEnd it, ByteBuffer from) throws IOException {
        boolean blocking = isBlocking();
        int n = 0;
        try {
            if (blocking) {
                begin();
            }
            n = JfsBuffers.isMapped(from) ? it.writeMapped(from, blocking) : it.write(from, blocking);
        } catch (IOException e) {
            throw orClosedOutput(it, e);
        } finally {
            if (blocking) {
                end(n > 0);
            }
        }
        if (n <= 0 && !isOutputOpen()) {
            throw new AsynchronousCloseException();
        }
        return n;
    }

    /** A write by the adaptor's stream. */
    @Override
    void blockingWriteFully(byte[] from, int offset, int length) throws IOException {
        JfsEnd it = end();
        if (it == null || from == null || length == 0) {
            super.blockingWriteFully(from, offset, length);
            return;
        }
        Objects.checkFromIndexSize(offset, length, from.length);
        tcpWriteLock().lock();
        try {
            boolean done = false;
            if (!isBlocking() || !writesByPath(it)) {
                it.sending(from, offset, length);
                try {
                    super.blockingWriteFully(from, offset, length);
                    done = true;
                } finally {
                    it.sent(-1, done ? length : -1);
                }
                return;
            }
            try {
                begin();
                it.write(from, offset, length);
                done = true;
            } catch (SocketException e) {
                throw isOpen() ? new IOException(e.getMessage()) : new AsynchronousCloseException();
            } finally {
                end(done);
            }
        } finally {
            it.doneWriting();
        }
    }

    @Override
    int sendOutOfBandData(byte data) throws IOException {
        JfsEnd it = end();
        if (it == null || !isOpen() || !isOutputOpen()) {
            return super.sendOutOfBandData(data);
        }
        tcpWriteLock().lock();
        try {
            return it.writeUrgent(data);
        } finally {
            it.doneWriting();
        }
    }

    // For JFS: what TCP does. A closing thread has marked the channel as closed before JFS closes the connection, and TCP at last. What JFS
    // still asks of TCP meanwhile goes past the JDK's checks.

    @Override
    public final ReentrantLock tcpReadLock() {
        return (ReentrantLock) UNSAFE.getReference(this, READ_LOCK);
    }

    @Override
    public final ReentrantLock tcpWriteLock() {
        return (ReentrantLock) UNSAFE.getReference(this, WRITE_LOCK);
    }

    @Override
    public final int tcpDescriptor() {
        return getFDVal();
    }

    @Override
    public final int tcpRead(ByteBuffer to) throws IOException {
        if (tcpReset) {
            throw new SocketException("Connection reset");
        }
        try {
            int n = IOUtil.read(super.getFD(), to, -1, DISPATCHER);
            return n == IOStatus.EOF ? -1 : Math.max(n, 0);
        } catch (ConnectionResetException e) {
            tcpReset = true;
            throw new SocketException("Connection reset");
        }
    }

    @Override
    public final int tcpWrite(ByteBuffer from) throws IOException {
        return Math.max(IOUtil.write(super.getFD(), from, -1, DISPATCHER), 0);
    }

    @Override
    public final int tcpSendUrgent(byte data) throws IOException {
        return super.sendOutOfBandData(data);
    }

    @Override
    public final int tcpAvailable() throws IOException {
        return isOpen() ? super.available() : Net.available(super.getFD());
    }

    // The program's channel is marked as closed before JFS closes the connection. The JDK's methods refuse a closed channel. So what JFS
    // does after that goes to the descriptor, which is open until tcpClose().

    @Override
    public final void tcpShutdownInput() throws IOException {
        if (isOpen()) {
            super.shutdownInput();
        } else {
            Net.shutdown(super.getFD(), Net.SHUT_RD);
        }
    }

    @Override
    public final void tcpShutdownOutput() throws IOException {
        if (isOpen()) {
            super.shutdownOutput();
        } else {
            Net.shutdown(super.getFD(), Net.SHUT_WR);
        }
    }

    @Override
    public final <T> void tcpSetOption(SocketOption<T> name, T value) throws IOException {
        if (isOpen()) {
            super.setOption(name, value);
        } else {
            Net.setSocketOption(super.getFD(), Net.UNSPEC, name, value);
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public final <T> T tcpGetOption(SocketOption<T> name) throws IOException {
        return isOpen() ? super.getOption(name) : (T) Net.getSocketOption(super.getFD(), Net.UNSPEC, name);
    }
}
