package jfs.transport.mx;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import jfs.mx.InPlace;
import jfs.mx.MxChannel;
import jfs.mx.MxEndpoint;
import jfs.nativelib.Posix;
import jfs.spi.Claim;
import jfs.spi.FastPath;
import jfs.spi.FutexWords;
import jfs.spi.NoResourcesException;
import jfs.spi.Preferences;
import jfs.spi.TcpDescriptor;
import jfs.spi.WaitCounters;
import jfs.steps.Step;
import jfs.threads.Cleaning;
import jfs.wait.BellSleepers;
import jfs.wait.Deadline;
import jfs.wait.Sleepers;

/**
 * One end of a connection over MX. A thread that waits polls the endpoint itself. A thread that sleeps waits at {bell, TCP}, and the thread
 * that finds a message for it rings its bell. A reader that sleeps alone waits at the endpoint's descriptor too ({@link MxEndpoint}).
 *
 * <p>Messages and TCP are two ways between hosts, and what is sent first may come last. So TCP's end says nothing about the stream's end
 * before the peer's END has come, or would have come by now ({@link StreamEnd}).
 */
final class MxPath implements FastPath {

    /** How often a waiting writer gives MX an occasion to notice the peer's death. */
    private static final long BETWEEN_SIGNS_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /** About what a message takes at best. What TCP may know of the peer by now can have been under way when the peer was last heard. */
    private static final long JUST_NOW_NANOS = TimeUnit.MICROSECONDS.toNanos(2);

    private final MxChannel channel;
    private final MxEndpoint endpoint;
    private final PathBell bell;
    private final Sleepers sleepers;
    private final DirectionWaits readerWaits;
    private final DirectionWaits writerWaits;
    private final PeerCheck peerCheck;
    private final StreamEnd streamEnd;
    private final CutOff cutOff;
    private final InPlace inPlace;
    private final Shown shownByReceiver = new Shown();
    private final Shown shownBySender = new Shown();
    private final Runnable end;

    /** Guarded by this, as are the next four fields. */
    private boolean ready;
    private boolean oobInline;
    private boolean receiverClosed;
    private boolean receiverRetired;
    private boolean senderRetired;
    /** Latched (SWITCH-2). Under the read lock. */
    private long switchedAt = -1;
    /** Whether TCP's end is a reset. Under the read lock. */
    private boolean tcpReset;
    /** When an armed sender gives MX the next occasion to notice the peer's death; 0 while none is due. Under the write lock. */
    private long nextSignAt;
    /** TCP was reset or aborted under a waiting writer. The kernel has told that writer of it, and so tells no other thread. */
    private volatile boolean tcpBroken;

    private final class Reading extends EndpointSleeper {
        Reading() {
            super(endpoint, bell, Sleepers.READER);
        }

        @Override
        boolean hasNews() {
            return channel.available() > 0 || channel.ended() || broken();
        }

        @Override
        public boolean arrived() {
            return switchedAt < 0 ? channel.switchedAt() >= 0 || channel.isCutOff() != cutOff.holds() : super.arrived();
        }

        /** Before the switch the next bytes come by TCP, so there is nothing to lead for. */
        @Override
        boolean mayLead() {
            return switchedAt >= 0;
        }
    }

    private final class Writing extends EndpointSleeper {
        Writing() {
            super(endpoint, bell, Sleepers.WRITER);
        }

        @Override
        boolean hasNews() {
            return channel.hasRoom() || isGone() || channel.failed();
        }

        @Override
        boolean mayLead() {
            return false;
        }
    }

    /** @param channel not connected yet */
    MxPath(MxChannel channel, int pollMicros) throws NoResourcesException {
        this.channel = channel;
        this.endpoint = channel.endpoint();
        this.inPlace = channel.inPlace();
        Cleaner cleaner = Cleaning.cleaner(); // first: if there is none to be had, there is nothing to free yet
        this.bell = new PathBell();
        this.sleepers = new BellSleepers(bell.bell());
        this.readerWaits = new DirectionWaits(Sleepers.READER, endpoint, sleepers, new Reading(), pollMicros);
        this.writerWaits = new DirectionWaits(Sleepers.WRITER, endpoint, sleepers, new Writing(), pollMicros);
        this.peerCheck = new PeerCheck(channel);
        this.streamEnd = new StreamEnd(channel);
        this.cutOff = new CutOff(channel);
        this.end = cleaner.register(this, new PathMemory(channel, sleepers, bell))::clean;
        channel.listener(bell);
    }

    @Override
    public String transport() {
        return MxTransport.NAME;
    }

    @Override
    public void countWaitsIn(WaitCounters counters) {
        readerWaits.countIn(counters);
        writerWaits.countIn(counters);
    }

    /** Only how long a thread polls depends on it: MX has one border for all messages of the process. */
    @Override
    public void prefer(Preferences preferences) {
        readerWaits.prefer(preferences);
        writerWaits.prefer(preferences);
    }

    // Receiving half: under the read lock.

    @Override
    public void ready() {
        synchronized (this) {
            ready = true;
            tellReceiver();
        }
    }

    /** Called under this. Three threads may change one flag each; none of them may tell an old value of another flag. */
    private void tellReceiver() {
        channel.tellReceiver(ready, oobInline, receiverClosed);
    }

    @Override
    public long switchedAt() {
        if (switchedAt < 0) {
            switchedAt = channel.switchedAt();
        }
        return switchedAt;
    }

    @Override
    public int receive(byte[] into, int offset, int length) throws IOException {
        shownByReceiver.by(null);
        if (channel.available() == 0) {
            endpoint.progress();
        }
        boolean over = channel.ended() || broken(); // asked first: what came before is there then
        int n = channel.receive(into, offset, length);
        return n > 0 || !over ? n : end();
    }

    /**
     * Whether the path has failed while the peer may have more to say. A process that has said that it ends can't be reached any
     * more, but has nothing more to say.
     */
    private boolean broken() {
        return channel.failed() && !channel.peerExits();
    }

    @Override
    public int available() {
        if (channel.available() == 0) {
            endpoint.progressAll();
        }
        return channel.available();
    }

    @Override
    public int receive(ByteBuffer into) throws IOException {
        shownByReceiver.by(null);
        if (channel.available() == 0) {
            endpoint.progress();
        }
        boolean over = channel.ended() || broken(); // asked first, as for an array
        int n = channel.receive(into);
        return n > 0 || !over ? n : end();
    }

    @Override
    public int peek(Claim into, byte[] orElse, int offset, int length) throws IOException {
        shownByReceiver.by(into);
        if (channel.available() == 0) {
            endpoint.progress();
        }
        boolean over = channel.ended() || broken(); // asked first, as for an array
        int n = inPlace.peek(into);
        return n > 0 || !over ? n : end();
    }

    @Override
    public void release(int bytes) {
        inPlace.release(bytes);
        shownByReceiver.by(null);
    }

    /** What a reader is told that has taken all bytes of a stream that has ended or failed. */
    private int end() throws SocketException {
        if (channel.ended()) {
            return channel.endedByReset() ? RESET : END;
        }
        throw channel.failure();
    }

    @Override
    public boolean readable() {
        return available() > 0 || channel.ended() || broken();
    }

    @Override
    public int awaitData(TcpDescriptor tcp, long deadline) throws IOException {
        readerWaits.takeOver();
        // Before the switch the next bytes come by TCP. Polling the endpoint would only delay them.
        if (switchedAt < 0) {
            return awaitSwitch(tcp, deadline);
        }
        if (readerWaits.poll()) {
            return 0;
        }
        long start = System.nanoTime();
        int events = readerWaits.sleepAfterPoll(tcp, peerCheck.look(deadline));
        readerWaits.slept(System.nanoTime() - start);
        return tcpEvent(events);
    }

    /** Waits for the switch, or for bytes on TCP. */
    private int awaitSwitch(TcpDescriptor tcp, long deadline) throws IOException {
        cutOff.look(switchedAt() >= 0);
        long until = cutOff.holds() ? Deadline.earlier(deadline, cutOff.silentAt()) : deadline;
        if (tcpEvent(readerWaits.sleep(tcp, peerCheck.look(until))) != 0) {
            cutOff.tcpSpeaks();
            return TCP_EVENT;
        }
        return cutOff.holds() ? lookUnlessSilent(tcp) : 0;
    }

    /** Fails if the path is cut off and TCP is silent. What had come by now counts, even if this thread had no processor for long. */
    private int lookUnlessSilent(TcpDescriptor tcp) throws SocketException {
        boolean silent = Deadline.hasPassed(cutOff.silentAt());
        endpoint.progressAll();
        int event = tcpEvent(Sleepers.look(tcp, Posix.POLLIN));
        if (event != 0) {
            cutOff.tcpSpeaks();
        } else if (silent) {
            throw channel.failure();
        }
        return event;
    }

    @Override
    public int lookForData(TcpDescriptor tcp) throws SocketException {
        cutOff.look(switchedAt() >= 0);
        return lookUnlessSilent(tcp);
    }

    private int tcpEvent(int events) {
        tcpReset |= (events & Posix.POLLERR) != 0;
        return events != 0 ? TCP_EVENT : 0;
    }

    @Override
    public boolean awaitEnd(long deadline) throws IOException {
        return streamEnd.await(deadline, tcpReset || tcpBroken);
    }

    @Override
    public long armReceiver(TcpDescriptor tcp, Runnable callback, FutexWords words) throws IOException {
        disarmReceiver();
        cutOff.look(switchedAt() >= 0);
        return readerWaits.arm(tcp, callback, Deadline.nanosUntil(peerCheck.look(cutOff.silentAt())));
    }

    @Override
    public void disarmReceiver() {
        readerWaits.disarm();
    }

    // Sending half: under the write lock.

    @Override
    public boolean peerReady() {
        if (!channel.peerReady()) {
            endpoint.progressAll();
        }
        return channel.peerReady() && !channel.failed(); // else the stream goes on over TCP
    }

    @Override
    public void switchAt(long count) {
        channel.switchAt(count);
    }

    @Override
    public int send(byte[] from, int offset, int length) throws IOException {
        shownBySender.by(null);
        return channel.send(from, offset, length);
    }

    @Override
    public int sendOrAwaitRoom(TcpDescriptor tcp, byte[] from, int offset, int length) throws IOException {
        writerWaits.takeOver();
        if (writerWaits.poll()) {
            return 0;
        }
        long turn = System.nanoTime() + BETWEEN_SIGNS_NANOS | 1;
        if (writerWaits.sleepAfterPoll(tcp, turn) != 0) {
            tcpBroken = true;
        } else if (Deadline.hasPassed(turn)) {
            channel.lookForPeer();
        }
        return 0;
    }

    @Override
    public int trySend(TcpDescriptor tcp, ByteBuffer from) throws IOException {
        shownBySender.by(null);
        int n = channel.send(from);
        if (n == 0) {
            endpoint.progressAll(); // the peer may have told of room, or of its end
            n = channel.send(from);
        }
        if (n == 0 && Sleepers.look(tcp, 0) != 0) {
            tcpBroken = true;
        }
        return n;
    }

    @Override
    public boolean claim(Claim into, int least, int most) {
        shownBySender.by(into);
        return inPlace.claim(into, least, most);
    }

    @Override
    public void commit(int bytes, boolean more) throws IOException {
        inPlace.commit(bytes);
        shownBySender.by(null);
    }

    @Override
    public boolean writable() {
        if (!channel.hasRoom()) {
            endpoint.progressAll();
        }
        return channel.hasRoom() || channel.failed();
    }

    @Override
    public long armSender(TcpDescriptor tcp, Runnable callback, FutexWords words) throws IOException {
        disarmSender();
        long now = System.nanoTime();
        if (nextSignAt != 0 && now - nextSignAt >= 0) {
            channel.lookForPeer();
            nextSignAt = 0;
        }
        if (nextSignAt == 0) {
            nextSignAt = now + BETWEEN_SIGNS_NANOS | 1;
        }
        return writerWaits.arm(tcp, callback, nextSignAt - now);
    }

    @Override
    public void disarmSender() {
        writerWaits.disarm();
    }

    @Override
    public boolean peerTakesUrgent() {
        return channel.peerTakesUrgent();
    }

    /**
     * Looks for the peer's latest messages: as over TCP, the first write that can know of the peer's close knows of it (END-1). A
     * look is a system call in most fabrics. So if a message of the peer has come just now, this does not look again, unless the message
     * says that more may be near.
     */
    @Override
    public boolean peerGone() {
        if (!isGone() && !channel.heardWithin(JUST_NOW_NANOS)) {
            endpoint.progressAll();
        }
        return isGone();
    }

    private boolean isGone() {
        return tcpBroken || channel.peerClosed();
    }

    @Override
    public boolean peerDied() {
        return broken() && !channel.ended();
    }

    @Override
    public boolean peerReset() {
        return channel.endedByReset();
    }

    // From any thread.

    /** The peer's writer may wait for room. A failed channel can't tell it that this end does not read, but TCP's reset does (END-1). */
    @Override
    public boolean isBroken() {
        return channel.isCutOff() || broken() && channel.switched();
    }

    /** If this end has told the peer that it is ready, or has switched, a failure ends the connection instead ({@link #isBroken}). */
    @Override
    public String whyUnused(boolean over) {
        if (over && !channel.greeted()) {
            endpoint.progressAll();
        }
        String why = channel.whyFailed(); // read first: after a failure the peer is not told any more that this end is ready
        if (channel.switched() || channel.mayBeSentTo()) {
            return null;
        }
        boolean neverGreeted = why == null && over && !channel.greeted();
        return neverGreeted ? "the peer had not completed the MX handshake when the connection was closed" : why;
    }

    @Override
    public synchronized void takeUrgent(boolean inline) {
        oobInline = inline;
        tellReceiver();
    }

    @Override
    public void finish(boolean reset) {
        channel.finish(reset);
        Step.END_PUBLISHED.reached();
    }

    @Override
    public void awaitDelivered(long deadline) {
        channel.awaitDelivered(deadline);
    }

    @Override
    public void closeReceiver() {
        synchronized (this) {
            receiverClosed = true;
            tellReceiver();
        }
        Step.RECEIVER_CLOSED.reached();
    }

    @Override
    public void wake() {
        streamEnd.wake();
        sleepers.wake();
    }

    @Override
    public void retireReceiver() {
        shownByReceiver.by(null);
        retire(true);
    }

    @Override
    public void retireSender() {
        shownBySender.by(null);
        retire(false);
    }

    private void retire(boolean receiver) {
        boolean last;
        synchronized (this) {
            receiverRetired |= receiver;
            senderRetired |= !receiver;
            last = receiverRetired && senderRetired;
        }
        if (last) {
            end.run();
        }
    }
}
