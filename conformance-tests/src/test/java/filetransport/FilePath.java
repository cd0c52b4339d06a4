package filetransport;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jfs.spi.FastPath;
import jfs.spi.Preferences;
import jfs.spi.TcpDescriptor;

/**
 * One end of a connection through a mapped file. Half of the file is for each direction: words, then the bytes, as a ring. A word is
 * written with release by one end only, and read with acquire by the other end. Threads wait by looking again and again, so no thread has
 * to wake another one. The garbage collector unmaps the file.
 */
final class FilePath implements FastPath {

    // Words of a direction, by their offsets. Its receiver writes these:
    private static final int READY = 0;
    private static final int TAKES_URGENT = 8;
    private static final int RECEIVER_CLOSED = 16;
    /** How many bytes were taken out of the ring. */
    private static final int HEAD = 24;
    // Its sender writes these:
    /** One more than the count of bytes that went over TCP; 0 before the switch. */
    private static final int SWITCHED = 64;
    /** How many bytes were put into the ring. */
    private static final int TAIL = 72;
    private static final int ENDED = 80;
    private static final int PROCESS = 88;
    private static final int NONCE = 96;
    private static final int DATA = 4_096;

    private static final int IN_ORDER = 1;
    private static final int BY_RESET = 2;

    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final MappedByteBuffer map;
    private final int size;
    /** Where the two directions begin in the file. */
    private final int in;
    private final int out;
    /** What this end has written to HEAD and to TAIL. It does not read them back, because the peer process may have changed them. */
    private long head;
    private long tail;
    private boolean finished;
    private volatile boolean peerDied;

    FilePath(MappedByteBuffer map, boolean connecting) throws IOException {
        this.map = map;
        int half = map.capacity() / 2;
        this.size = half - DATA;
        this.in = connecting ? half : 0;
        this.out = connecting ? 0 : half;
        if (size <= 0 || half % DATA != 0) {
            throw new IOException("a file of " + map.capacity() + " bytes");
        }
    }

    /** Tells the peer which process it has to watch. The accepting end calls this when it knows that the file is the right one. */
    void begin() {
        set(out + PROCESS, ProcessHandle.current().pid());
    }

    @Override
    public void prefer(Preferences preferences) {
        FileTransportProvider.preferred().add(preferences);
    }

    /** @return the length of the file for directions of that size */
    static long bytes(int size) {
        return 2L * (DATA + (size + DATA - 1) / DATA * DATA);
    }

    void nonce(long nonce) {
        set(NONCE, nonce);
    }

    long nonce() {
        return get(NONCE);
    }

    private long get(int word) {
        return (long) WORD.getAcquire(map, word);
    }

    private void set(int word, long value) {
        WORD.setRelease(map, word, value);
    }

    /** The peer process may write anything into the file. */
    private int checked(long bytes) throws SocketException {
        if (bytes < 0 || bytes > size) {
            throw new SocketException("The peer broke the protocol of the file: " + bytes + " bytes in " + size);
        }
        return (int) bytes;
    }

    /** An interrupt neither ends a wait nor is lost. A thread that stays interrupted would not park. */
    private static void pause() {
        boolean interrupted = Thread.interrupted();
        if (interrupted) {
            LockSupport.parkNanos(1); // uses up the permit that the interrupt has left
        }
        LockSupport.parkNanos(PAUSE_NANOS);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String transport() {
        return FileTransportProvider.NAME;
    }

    @Override
    public void ready() {
        set(in + READY, 1);
    }

    @Override
    public long switchedAt() {
        return get(in + SWITCHED) - 1;
    }

    @Override
    public int receive(byte[] into, int offset, int length) throws IOException {
        long ended = get(in + ENDED); // first: all that was sent before the end is there then
        int n = Math.min(Math.min(length, available()), size - (int) (head % size));
        if (n == 0) {
            return ended == 0 ? 0 : ended == BY_RESET ? RESET : END;
        }
        map.get(in + DATA + (int) (head % size), into, offset, n);
        head += n;
        set(in + HEAD, head);
        return n;
    }

    @Override
    public int available() throws IOException {
        return checked(get(in + TAIL) - head);
    }

    @Override
    public boolean readable() throws IOException {
        return available() > 0 || get(in + ENDED) != 0;
    }

    @Override
    public int awaitData(TcpDescriptor tcp, long deadline) {
        int event = lookForData(tcp);
        if (event == 0) {
            pause();
        }
        return event;
    }

    @Override
    public int lookForData(TcpDescriptor tcp) {
        return tcp.hasEvent() ? TCP_EVENT : 0;
    }

    @Override
    public boolean peerReady() {
        return get(out + READY) != 0;
    }

    @Override
    public void switchAt(long count) {
        set(out + SWITCHED, count + 1);
    }

    @Override
    public int send(byte[] from, int offset, int length) throws IOException {
        int room = size - checked(tail - get(out + HEAD));
        int n = Math.min(Math.min(length, room), size - (int) (tail % size));
        map.put(out + DATA + (int) (tail % size), from, offset, n);
        tail += n;
        set(out + TAIL, tail);
        return n;
    }

    @Override
    public boolean writable() throws IOException {
        return checked(tail - get(out + HEAD)) < size;
    }

    /** TCP does not tell a sender whether the peer has died or has only ended its own direction. */
    @Override
    public int sendOrAwaitRoom(TcpDescriptor tcp, byte[] from, int offset, int length) throws IOException {
        pause();
        lookForPeer();
        return send(from, offset, length);
    }

    private void lookForPeer() {
        peerDied = ProcessHandle.of(get(in + PROCESS)).isEmpty();
    }

    @Override
    public int trySend(TcpDescriptor tcp, ByteBuffer from) throws IOException {
        int n = FastPath.super.trySend(tcp, from);
        if (n == 0) {
            lookForPeer();
        }
        return n;
    }

    @Override
    public boolean peerTakesUrgent() {
        return get(out + TAKES_URGENT) != 0;
    }

    @Override
    public boolean peerGone() {
        return peerDied || get(out + RECEIVER_CLOSED) != 0;
    }

    @Override
    public boolean peerReset() {
        return get(in + ENDED) == BY_RESET;
    }

    @Override
    public void takeUrgent(boolean inline) {
        set(in + TAKES_URGENT, inline ? 1 : 0);
    }

    @Override
    public synchronized void finish(boolean reset) {
        if (!finished) {
            finished = true;
            set(out + ENDED, reset ? BY_RESET : IN_ORDER);
        }
    }

    @Override
    public void closeReceiver() {
        set(in + RECEIVER_CLOSED, 1);
    }

    @Override
    public void wake() {
        // Each wait ends by itself.
    }

    @Override
    public void retireReceiver() {
        // The garbage collector frees all.
    }

    @Override
    public void retireSender() {
        // The garbage collector frees all.
    }
}
