package jfs.mx;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import jfs.nativelib.Mx;
import jfs.spi.NoResourcesException;
import jfs.threads.EventLoop;
import jfs.threads.ServiceThreads;
import jfs.wait.Pause;

/**
 * An MX endpoint, shared by all connections of a process. Its receives are posted for messages of any sender. A message that has
 * come is handed to the channel that it is for, if it is from that channel's peer (CHANNEL-7).
 *
 * <p><b>Who moves messages.</b> MX has no thread for that. A thread that waits for a message of its own polls: it looks for
 * completions of all connections, one look at a time ({@link #progress}), and finds its own message itself. So a conversation
 * costs no switch between threads. A reader that has gone to sleep alone waits at the endpoint's descriptor, and its message
 * wakes it directly. In all other cases a thread of the endpoint waits there, looks, and wakes the sleepers. One such case is
 * that several threads sleep: one of them would be woken for the others' messages, and would have to hand on when its own wait is
 * over. The other case is credits and ends, which have to move while no thread waits at all. A sleeper then pays for one more
 * switch of threads. {@link Leadership} decides which thread waits there (LEADER-1 to LEADER-4).
 *
 * <p>ENDPOINT-1. One thread at a time looks ({@link #looking}). A polling thread that finds another one there leaves it a note
 * ({@link #wanted}), and the other one looks once more. A thread that has to know all that had completed when it asked waits for
 * the lock.
 * <br>ENDPOINT-2. A thread sleeps at the descriptor only when MX says that nothing has happened since the last look.
 *
 * <p>Thread-safe; only {@link #connect}, {@link #flush} and {@link #close} block.
 */
public final class MxEndpoint {

    /** Messages that were for no channel here, or not from the channel's peer. */
    public static final LongAdder DROPPED = new LongAdder();

    /** Receives that are posted at any time. */
    public static final int RECEIVES = 32;

    private static final int CONNECT_MILLIS = 1_000;
    /** Completions that a look for all takes at a time; a poll takes one. */
    private static final int BATCH = 16;
    /** How often a thread that waits for another thread's look tries again before it parks: some microseconds, longer than a look takes. */
    private static final int SPINS = 100;
    /** How often the endpoint's thread checks for silent peers. */
    private static final int WAIT_MILLIS = 1_000;
    /** How often the endpoint's thread retries a send for which the library had no resources. */
    private static final int RETRY_MILLIS = 1;
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS);
    /** Longest sleep of the endpoint's thread when the JVM ends, because the JVM waits for threads in native code. */
    private static final int EXIT_WAIT_MILLIS = 5;
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    /** What the peers have not confirmed after this time is lost with the process. */
    private static final long EXIT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static MxEndpoint ofProcess; // guarded by the class

    private final long handle;
    private final Address address;
    private final LongSupplier clock;
    private final MessageBuffers buffers;
    private final Channels channels;

    // Guarded by looking, except the volatile fields (ENDPOINT-1).
    private final ReentrantLock looking = new ReentrantLock();
    private volatile boolean wanted;
    private boolean closed;
    private final ByteBuffer records =
            ByteBuffer.allocateDirect(BATCH * Mx.COMPLETION_BYTES).order(ByteOrder.nativeOrder());
    private final long recordsAddress = Mx.address(records);
    private int posted;
    /** Why the endpoint can't receive: the call and its error. Null: it can. */
    private volatile String deaf;

    /** A channel waits to send, and has no message under way whose completion would let it try again. */
    private volatile boolean sendsWait;
    /** Used by the endpoint's thread only. */
    private long retriedAt;

    private final Thread thread;
    private final Leadership leadership;
    private volatile boolean exiting;
    private volatile boolean closing;

    /** What other processes connect to; the key is a secret of the processes that negotiate. */
    public record Address(long nic, int id, int key) {
    }

    private MxEndpoint(long handle, Address address, LongSupplier clock, int descriptor, int messageMax)
            throws NoResourcesException {
        this.handle = handle;
        this.address = address;
        this.clock = clock;
        this.retriedAt = now();
        this.buffers = new MessageBuffers(messageMax);
        this.channels = new Channels(address.key * 31); // so that the numbers of two processes differ in a trace
        this.leadership = new Leadership(this, handle, descriptor);
        this.thread = ServiceThreads.create("jfs-mx", this::run);
    }

    /**
     * The endpoint of this process, opened when it is first asked for. When the JVM ends, what its connections have sent is
     * delivered first (END-5).
     *
     * @param messageMax see {@link #open}; that of the first call counts
     */
    public static synchronized MxEndpoint ofProcess(int messageMax) throws IOException {
        if (ofProcess == null) {
            MxEndpoint it = open(messageMax);
            if (!ServiceThreads.atShutdown("jfs-mx-exit", it::exit)) {
                it.exiting = true;
            }
            ofProcess = it;
        }
        return ofProcess;
    }

    /** @param messageMax the longest message that it sends or receives, bytes */
    public static MxEndpoint open(int messageMax) throws IOException {
        return open(messageMax, System::nanoTime);
    }

    /** @param clock by which the silence of peers is measured, nanoseconds */
    static MxEndpoint open(int messageMax, LongSupplier clock) throws IOException {
        int key = new SecureRandom().nextInt();
        long[] out = new long[4];
        MxException.check("mx_open_endpoint", Mx.openEndpoint(key, out));
        MxEndpoint it = null;
        boolean done = false;
        try {
            it = new MxEndpoint(out[0], new Address(out[1], (int) out[2], key), clock, (int) out[3], messageMax);
            it.lookForAll(); // posts the receives; an endpoint that can't receive is not used
            if (it.deaf != null) {
                throw new MxException(it.deaf);
            }
            it.thread.start();
            done = true;
            return it;
        } catch (OutOfMemoryError e) { // thrown by the JVM when the system has no thread for it
            throw new NoResourcesException("thread of an MX endpoint: " + e.getMessage());
        } finally {
            if (!done) {
                if (it != null) {
                    it.leadership.free();
                }
                Mx.closeEndpoint(out[0]);
            }
        }
    }

    public Address address() {
        return address;
    }

    /** The longest message that the endpoint takes, bytes. */
    public int messageMax() {
        return buffers.capacity();
    }

    /** How many buffers of messages are in use: {@link #RECEIVES}, those of messages under way, and those of unread ones. */
    public int buffersInUse() {
        return buffers.inUse();
    }

    /** How many channels there are, including those that wait for their peer to confirm their end. */
    public int channels() {
        return channels.size();
    }

    /** The time by which silence is measured. */
    long now() {
        return clock.getAsLong();
    }

    MessageBuffers buffers() {
        return buffers;
    }

    /** Makes a channel that is not connected yet. */
    public MxChannel newChannel(long nonce) {
        return channels.add(number -> new MxChannel(this, number, nonce));
    }

    boolean knows(MxChannel channel) {
        return channels.has(channel);
    }

    void forget(MxChannel channel) {
        channels.forget(channel);
    }

    /** The channel is to be checked again if its peer stays silent. */
    void linger(MxChannel channel) {
        channels.linger(channel);
        leadership.nudge();
    }

    /** A peer's endpoint: the two words of the address that messages go to, then what identifies it as the source of a message. */
    record Peer(long first, long second, long nic, int id, int session) {
        boolean is(long otherNic, int otherId, int otherSession) {
            return nic == otherNic && id == otherId && session == otherSession;
        }
    }

    /** Blocks for at most a second. */
    Peer connect(Address other) throws IOException {
        if (deaf != null) {
            throw new MxException(deaf);
        }
        long[] out = new long[5];
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CONNECT_MILLIS);
        int error = Mx.TIMEOUT;
        for (long rest = CONNECT_MILLIS; error == Mx.TIMEOUT && rest > 0;) { // mx_wakeup for the endpoint's thread ends mx_connect too
            error = Mx.connect(handle, other.nic, other.id, other.key, (int) rest, out);
            rest = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        }
        MxException.check("mx_connect", error);
        return new Peer(out[0], out[1], out[2], (int) out[3], (int) out[4]);
    }

    /** Makes all messages to the peer that are under way complete, as undeliverable if necessary. */
    void disconnect(Peer peer) {
        Mx.disconnect(handle, peer.first, peer.second);
    }

    /** Starts a send. When it ends its sender's {@link MxChannel#sent} is called, unless this returns an error. */
    int send(Peer peer, MessageBuffer message, long match) {
        return Mx.send(handle, peer.first, peer.second, message.address + message.start, message.length(), match,
                message.id);
    }

    /** Called by a channel that can't send now and has nothing under way. The endpoint's thread makes all such channels try again soon. */
    void retrySendsSoon() {
        boolean first = !sendsWait;
        sendsWait = true;
        if (first && Thread.currentThread() != thread) {
            leadership.nudge();
        }
    }

    private void retrySends() {
        retriedAt = now();
        sendsWait = false;
        try {
            channels.forEach(MxChannel::retrySends);
        } catch (OutOfMemoryError e) { // the channels that were not reached try again in the next turn
            sendsWait = true;
        }
    }

    /** Looks once for completions and hands them on. Called again and again by a thread that waits for something. */
    public void progress() {
        leadership.noteLook();
        wanted = true;
        lookIfWanted();
    }

    private void lookIfWanted() {
        while (wanted && looking.tryLock()) {
            look(1);
        }
    }

    /**
     * Looks for all that has completed. Called by a thread whose next step depends on what peers have said. If another thread is
     * looking, it may be about to hand on just that, so the caller waits for it. An interrupt does not end that wait. The caller
     * parks, and does not yield even if it is a virtual thread: two virtual threads that yield in turns would keep the looking
     * thread from their carriers for ever.
     */
    public void progressAll() {
        leadership.noteLook();
        lookForAll();
    }

    void lookForAll() {
        for (int i = 0; !looking.tryLock(); i++) {
            if (i == SPINS) { // the thread that looks has no processor
                looking.lock();
                break;
            }
            Thread.onSpinWait();
        }
        look(BATCH);
        lookIfWanted();
    }

    /** Whether a thread looks now. It may have found messages that it has not handed on. */
    boolean isLooking() {
        return looking.isLocked();
    }

    /** Called under the lock, which it releases. */
    private void look(int most) {
        try {
            wanted = false;
            if (!closed) {
                takeCompletions(most);
            }
        } finally {
            looking.unlock();
        }
    }

    private void takeCompletions(int most) {
        channels.tellOfWant();
        int n;
        do {
            String why = posted < RECEIVES ? postReceives() : null;
            n = Mx.completions(handle, recordsAddress, most);
            if (n < 0) {
                why = "mx_test_any: " + Mx.errorText(-n);
            }
            if (why != null || deaf != null) {
                deaf = why;
            }
            if (why != null) {
                channels.failAll(why);
            }
            for (int i = 0; i < n; i++) { // all of them, even if one fails: the library gives each out once
                completed(i * Mx.COMPLETION_BYTES);
            }
        } while (n == BATCH);
    }

    /** @return null, or why no receive is posted */
    private String postReceives() {
        try {
            while (posted < RECEIVES) {
                MessageBuffer into = buffers.take();
                int error = Mx.receive(handle, into.address, buffers.capacity(), into.id);
                if (error != Mx.OK) {
                    buffers.give(into);
                    return posted > 0 || error == Mx.NO_RESOURCES ? null : "mx_irecv: " + Mx.errorText(error);
                }
                posted++;
            }
        } catch (OutOfMemoryError e) {
            // Posted at the next look. Until then the library keeps what comes.
        }
        return null;
    }

    private void completed(int at) {
        MessageBuffer message = buffers.of(records.getLong(at + Mx.CONTEXT));
        int status = records.getInt(at + Mx.STATUS);
        MxChannel channel = message.sender;
        try {
            if (channel != null) {
                channel.sent(message, status);
                return;
            }
            posted--;
            message.end = records.getInt(at + Mx.LENGTH);
            long match = records.getLong(at + Mx.MATCH);
            long nic = records.getLong(at + Mx.NIC);
            int id = records.getInt(at + Mx.ENDPOINT);
            int session = records.getInt(at + Mx.SESSION);
            channel = channels.of(Kind.number(match));
            if (channel != null && status != Mx.STATUS_SUCCESS) {
                channel.lost(nic, id, session, "mx_irecv: " + Mx.statusText(status));
                channel = null;
            }
            if (channel == null || !channel.arrived(message, match, nic, id, session)) {
                DROPPED.increment();
                buffers.give(message);
            }
        } catch (OutOfMemoryError e) { // the message's place in its channel's sequence stays empty
            channels.failForWantOfMemory(channel);
        }
    }

    /** For threads that wait for messages asleep. */
    public Leadership leadership() {
        return leadership;
    }

    boolean isDeaf() {
        return deaf != null;
    }

    private void run() {
        Runnable turn = this::lookAndSleep;
        while (!closing) {
            EventLoop.guarded(turn); // all sleepers need this thread, so no failure may end it
        }
    }

    private void lookAndSleep() {
        boolean othersLook = leadership.othersLook();
        if (!othersLook || channels.needLooks()) {
            long before = now();
            lookForAll();
            channels.giveUpSilent(before); // all that had come before this time was seen, even if this process was stopped meanwhile
        }
        if (sendsWait && now() - retriedAt >= RETRY_NANOS) {
            retrySends();
        }
        if (!closing) {
            leadership.sleep(othersLook, sendsWait ? RETRY_MILLIS : exiting ? EXIT_WAIT_MILLIS : channels.needLooks() ? WAIT_MILLIS : -1);
        }
    }

    /** The JVM ends. TCP would go on to deliver what was written, so this waits for that. */
    private void exit() {
        exiting = true;
        leadership.nudge();
        for (MxChannel channel : channels) {
            channel.exit();
        }
        long deadline = System.nanoTime() + EXIT_NANOS;
        for (MxChannel channel : channels) {
            flush(channel, deadline);
        }
    }

    boolean isExiting() {
        return exiting;
    }

    /** Waits until the peer has what was sent, or until the deadline, a {@link System#nanoTime}. */
    void flush(MxChannel channel, long deadline) {
        while (!channel.isFlushed() && deadline - System.nanoTime() > 0) {
            progressAll(); // the endpoint's thread leaves the look to this thread (LEADER-1)
            Pause.park(BETWEEN_LOOKS_NANOS);
        }
    }

    /**
     * Closes the endpoint, and ends what is under way: its channels fail. To be called once, when no thread is about to connect a
     * channel.
     */
    public void close() throws IOException {
        closing = true;
        leadership.end();
        leadership.nudge();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        channels.forEach(MxChannel::silence);
        looking.lock(); // waits until no thread looks
        closed = true;
        looking.unlock();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        leadership.free();
        MxException.check("mx_close_endpoint", Mx.closeEndpoint(handle));
    }
}
