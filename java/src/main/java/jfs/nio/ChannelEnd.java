package jfs.nio;

import java.io.IOException;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.spi.JfsEnd;
import java.nio.channels.spi.JfsTcp;
import jfs.connection.NonBlockingReader;
import jfs.connection.NonBlockingWriter;
import jfs.connection.Reader;
import jfs.connection.Writer;
import jfs.nativelib.Posix;
import jfs.spi.Claim;
import jfs.spi.FastPath;
import jfs.spi.FutexWords;
import jfs.wait.Deadline;

/** A channel's end of a connection: hands what the channel and its selectors ask on to the connection. */
final class ChannelEnd implements JfsEnd, Runnable {

    /** The most bytes that a write from a mapped file copies at once. */
    private static final int COPIED_AT_ONCE = Posix.COPY_MAX;
    /** The most bytes that a waiting read or write copies at once, where the path shows no memory and the buffer is not on the heap. */
    private static final int SPARE = 8 << 10;
    /** What the kernel tells the JDK of a write from a mapping whose file has become shorter. */
    private static final String BAD_ADDRESS = "Bad address";

    private final ChannelConnection connection;
    private final Reader reader;
    private final Writer writer;
    private final NonBlockingReader nonBlockingReader;
    private final NonBlockingWriter nonBlockingWriter;
    private final ChannelTcp tcp;
    private final JfsTcp channel;

    /** Of an accepted channel; null for one that has connected. */
    private final ListeningChannel acceptedBy;

    /**
     * TCP has told of an event that was none for the program, so the kernel must not tell of it again and again. What comes then is told by
     * what is armed.
     */
    private volatile boolean tcpIsQuiet;

    /** What the next write by the path throws; null for nothing. Guarded by the write lock. */
    private IOException failure;

    /** Guarded by the read lock: where bytes lie that were not read yet, and memory for those of which the path shows none. */
    private final Claim received = new Claim();
    private byte[] spareForReading;
    /** The same for writing, under the write lock. */
    private final Claim room = new Claim();
    private byte[] spareForWriting;

    /** @param acceptedBy null for a channel that has connected */
    ChannelEnd(ChannelConnection connection, ChannelTcp tcp, JfsTcp channel, ListeningChannel acceptedBy) {
        this.connection = connection;
        this.tcp = tcp;
        this.acceptedBy = acceptedBy;
        this.reader = connection.reader();
        this.writer = connection.writer();
        this.nonBlockingReader = connection.newNonBlockingReader();
        this.nonBlockingWriter = connection.newNonBlockingWriter();
        this.channel = channel;
    }

    @Override
    public void begin() {
        tcp.connected(acceptedBy != null);
        if (acceptedBy == null) {
            connection.begin();
        } else {
            connection.beginAccepted(acceptedBy.listening(), acceptedBy.unlisted());
        }
    }

    // Reading.

    @Override
    public boolean readsByPath() throws IOException {
        return reader.takesPath();
    }

    @Override
    public void received(ByteBuffer into, int bytes) {
        reader.tookTcp(null, into, 0, bytes);
    }

    @Override
    public void received(byte[] into, int offset, int bytes) {
        reader.tookTcp(into, null, offset, bytes);
    }

    @Override
    public int read(ByteBuffer to, boolean waits) throws IOException {
        if (!waits) {
            return nonBlockingReader.tryRead(to);
        }
        if (to.hasArray()) {
            int n = reader.read(to.array(), to.arrayOffset() + to.position(), to.remaining(), Deadline.NONE);
            to.position(to.position() + Math.max(n, 0));
            return n;
        }
        int n = nonBlockingReader.tryRead(to);
        return n != 0 ? n : awaitAndRead(to);
    }

    /** Reads into a buffer that is not on the heap. Makes no garbage but for the first time. */
    private int awaitAndRead(ByteBuffer to) throws IOException {
        if (spareForReading == null) {
            spareForReading = new byte[SPARE];
        }
        int n = reader.peek(received, spareForReading, 0, Math.min(to.remaining(), SPARE), Deadline.NONE);
        if (received.memory() == null) {
            to.put(spareForReading, 0, Math.max(n, 0));
            return n;
        }
        n = Math.min(n, to.remaining());
        int at = to.position();
        to.put(at, received.memory(), received.offset(), n);
        reader.release(n);
        to.position(at + n);
        return n;
    }

    @Override
    public int read(byte[] to, int offset, int length, long nanos) throws IOException {
        return reader.read(to, offset, length, nanos > 0 ? System.nanoTime() + nanos | 1 : Deadline.NONE);
    }

    @Override
    public void doneReading() {
        reader.unlock();
    }

    // Writing.

    @Override
    public boolean writesByPath() throws IOException {
        return writer.takesPath();
    }

    @Override
    public int sending(ByteBuffer[] from, int offset, int length) {
        int before = 0;
        for (int i = 0; i < length; i++) {
            int count = sending(from[offset + i]);
            before = i == 0 ? count : before;
        }
        return before;
    }

    @Override
    public int sending(ByteBuffer from) {
        return connection.sendingOverTcp(null, from, 0, 0);
    }

    @Override
    public void sending(byte[] from, int offset, int length) {
        connection.sendingOverTcp(from, null, offset, length);
    }

    @Override
    public void sent(int before, long bytes) {
        if (before >= 0) {
            connection.triedOverTcp(before, (int) Math.max(0, Math.min(bytes, Integer.MAX_VALUE)));
        }
        writer.tookTcp(bytes);
    }

    @Override
    public int write(ByteBuffer from, boolean waits) throws IOException {
        throwFailure();
        if (!waits) {
            return nonBlockingWriter.tryWrite(from);
        }
        return writeOrFailLater(from, false);
    }

    @Override
    public int writeMapped(ByteBuffer from, boolean waits) throws IOException {
        throwFailure();
        if (waits) {
            return writeOrFailLater(from, true);
        }
        byte[] part = new byte[Math.min(from.remaining(), COPIED_AT_ONCE)];
        int before = from.position();
        int length;
        int taken;
        do {
            length = copyMapped(from, part);
            if (length < 0 && from.position() == before) {
                throw new IOException(BAD_ADDRESS);
            }
            taken = length < 0 ? 0 : nonBlockingWriter.tryWrite(ByteBuffer.wrap(part, 0, length));
            from.position(from.position() + taken);
        } while (taken == length && from.hasRemaining());
        return from.position() - before;
    }

    /** @return the number of bytes copied; -1 if the file has become so short that there are none */
    private static int copyMapped(ByteBuffer from, byte[] to) {
        int length = Math.min(from.remaining(), to.length);
        int copied = Posix.copyMapped(from, from.position(), to, length);
        if (copied < 0 && copied != -Posix.EFAULT) { // a filter forbids the call
            from.get(from.position(), to, 0, length);
            return length;
        }
        return copied < 0 ? -1 : copied;
    }

    private int writeOrFailLater(ByteBuffer from, boolean isMapped) throws IOException {
        int before = from.position();
        try {
            writeAll(from, isMapped);
        } catch (IOException e) {
            if (from.position() == before) {
                throw e;
            }
            failLater(e);
        }
        return from.position() - before;
    }

    /** Writes in parts, each of which moves the buffer's position. So it is known what was taken before a failure. */
    private void writeAll(ByteBuffer from, boolean isMapped) throws IOException {
        boolean isDirect = !from.hasArray() && !isMapped;
        if (isDirect && from.remaining() <= SPARE) {
            nonBlockingWriter.tryWrite(from);
        }
        while (from.hasRemaining()) {
            int length = Math.min(from.remaining(), isDirect ? SPARE : COPIED_AT_ONCE);
            int taken = 0;
            connection.beginWrite();
            try {
                if (from.hasArray()) {
                    writer.write(from.array(), from.arrayOffset() + from.position(), length);
                } else if (isDirect) {
                    length = writeDirect(from, length);
                } else {
                    byte[] next = new byte[length];
                    length = copyMapped(from, next);
                    if (length < 0) {
                        throw new IOException(BAD_ADDRESS);
                    }
                    writer.write(next, 0, length);
                }
                taken = length;
            } catch (IOException e) {
                taken = connection.partlyWritten();
                throw e;
            } finally {
                from.position(from.position() + taken);
            }
        }
    }

    /**
     * Puts the buffer's next bytes where the path sends them from. If there is no room now, copies a few, which the writer then waits for.
     *
     * @return the bytes that were taken; the buffer's position is not moved
     */
    private int writeDirect(ByteBuffer from, int few) throws IOException {
        if (writer.claim(room, 1, from.remaining())) {
            int n = room.length();
            room.memory().put(room.offset(), from, from.position(), n);
            writer.commit(n, false);
            return n;
        }
        if (spareForWriting == null) {
            spareForWriting = new byte[SPARE];
        }
        from.get(from.position(), spareForWriting, 0, few);
        writer.write(spareForWriting, 0, few);
        return few;
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        throwFailure();
        writer.write(from, offset, length);
    }

    @Override
    public void failLater(IOException e) {
        failure = e;
    }

    private void throwFailure() throws IOException {
        IOException it = failure;
        if (it != null) {
            failure = null;
            throw it;
        }
    }

    @Override
    public int writeUrgent(byte data) throws IOException {
        try {
            writer.writeUrgent(data);
            return 1;
        } catch (ChannelTcp.NoRoomException e) {
            return 0;
        }
    }

    @Override
    public void doneWriting() {
        writer.unlock();
    }

    @Override
    public boolean sendsFileOverTcp() {
        try {
            tcp.writeLock().lockInterruptibly();
        } catch (InterruptedException e) { // the interrupt closes the file, and the transfer finds that
            Thread.currentThread().interrupt();
            return false;
        }
        try {
            boolean sends = writer.sendsFileOverTcp();
            if (sends) {
                connection.sendsFiles();
            }
            return sends;
        } finally {
            writer.unlock();
        }
    }

    // Both.

    @Override
    public int available() throws IOException {
        return connection.available();
    }

    @Override
    public void shutdownInput() throws IOException {
        connection.shutdownInput();
        run();
    }

    @Override
    public void shutdownOutput() throws IOException {
        connection.shutdownOutput();
        run();
    }

    @Override
    public boolean isOutputShut() {
        return writer.isShut();
    }

    @Override
    public <T> void setOption(SocketOption<T> name, T value) throws IOException {
        connection.setOption(name, value);
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return connection.getOption(name);
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }

    @Override
    public void afterClose() {
        connection.retireIfClosed();
    }

    // Selecting.

    /** There may be news: what is armed is told of it. */
    @Override
    public void run() {
        channel.tellSelectors();
    }

    @Override
    public boolean hasPath() {
        return connection.isAttached();
    }

    @Override
    public void inOtherSelector() {
        connection.inOtherSelector();
    }

    @Override
    public int interest(int events) {
        int from = events;
        if (!connection.isAttached()) {
            return from;
        }
        if (tcpIsQuiet || !nonBlockingReader.needsTcp()) {
            from &= ~Posix.POLLIN;
        }
        return nonBlockingWriter.needsTcp() ? from : from & ~Posix.POLLOUT;
    }

    @Override
    public int look(int wanted) {
        int now = 0;
        if ((wanted & Posix.POLLIN) != 0 && nonBlockingReader.isReadableInPath()) {
            now |= Posix.POLLIN;
        }
        if ((wanted & Posix.POLLOUT) != 0 && nonBlockingWriter.isWritableInPath()) {
            now |= Posix.POLLOUT;
        }
        return now;
    }

    @Override
    public int ready(int events, int wanted) {
        int now = 0;
        if ((wanted & Posix.POLLIN) != 0 && nonBlockingReader.isReadable()) {
            now |= Posix.POLLIN;
        }
        if ((wanted & Posix.POLLOUT) != 0 && nonBlockingWriter.isWritable()) {
            now |= Posix.POLLOUT;
        }
        tcpIsQuiet = events != 0 && (now & Posix.POLLIN) == 0 && (events & ~Posix.POLLOUT) != 0;
        return now;
    }

    @Override
    public void waited(int events, boolean polled) {
        if ((events & Posix.POLLIN) != 0) {
            connection.waitedInSelector(true, polled);
        }
        if ((events & Posix.POLLOUT) != 0) {
            connection.waitedInSelector(false, polled);
        }
    }

    @Override
    public long arm(int wanted) {
        return arm(wanted, null);
    }

    /** @param words at which the caller is about to sleep; null for none */
    long arm(int wanted, FutexWords words) {
        long most = Long.MAX_VALUE;
        try {
            if ((wanted & Posix.POLLIN) != 0) {
                most = Math.min(most, orForEver(nonBlockingReader.arm(this, words)));
            }
            if ((wanted & Posix.POLLOUT) != 0) {
                most = Math.min(most, orForEver(nonBlockingWriter.arm(this, words)));
            }
        } catch (IOException e) { // so does the next read or write
            return 0;
        } catch (IllegalStateException | OutOfMemoryError e) { // nothing can be armed now
            return FastPath.LOOK_AGAIN_NANOS;
        }
        return most;
    }

    /** A direction that is on TCP is watched by the kernel. */
    private static long orForEver(long nanos) {
        return nanos == NonBlockingReader.AT_TCP ? Long.MAX_VALUE : nanos;
    }
}
