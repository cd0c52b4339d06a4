package jfs.transport.mx;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.net.SocketException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import jfs.mx.EventBell;
import jfs.mx.MxChannel;
import jfs.mx.MxEndpoint;
import jfs.nativelib.Posix;
import jfs.spi.FastPath;
import jfs.spi.NoResourcesException;
import jfs.spi.TcpDescriptor;
import jfs.steps.Step;
import jfs.threads.Cleaning;
import jfs.wait.BellSleepers;
import jfs.wait.Deadline;
import jfs.wait.Pause;
import jfs.wait.Polling;
import jfs.wait.Sleepers;

/**
 * One end of a connection over MX. A thread that waits polls the endpoint itself. A thread that sleeps waits at {bell, TCP}, and
 * the thread that finds a message for it rings its bell. A reader that sleeps alone waits at the endpoint's descriptor too
 * ({@link MxEndpoint}).
 *
 * <p>Messages and TCP are two ways between hosts, and what is sent first may come last. So TCP's end says nothing about the
 * stream's end before the peer's END has come, or would have come by now ({@link #awaitEnd}, END-5).
 */
final class MxPath implements FastPath {

    /** How often the bell of a sleeping thread was rung. */
    static final LongAdder RINGS = new LongAdder();

    /**
     * How long after TCP's end a message may still come that was sent before it, if the peer lives as far as MX knows. Such a
     * peer may be collecting garbage, and a fabric may be repeating what it has lost. If the peer is dead MX says so at once.
     */
    private static final long OVERTAKEN_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** The same after a reset, which over TCP loses what is under way; also how long TCP may be silent when the path has failed. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** How often a waiting writer gives MX an occasion to notice the peer's death. */
    private static final long BETWEEN_SIGNS_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    /** About what a message takes at best. What TCP may know of the peer by now can have been under way when the peer was last heard. */
    private static final long JUST_NOW_NANOS = TimeUnit.MICROSECONDS.toNanos(2);
    /** A question to a dead peer fails as soon as its death is known. Each pause between questions is twice as long as the one before. */
    private static final long TO_SECOND_QUESTION_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** So a peer that is stopped for {@link #OVERTAKEN_NANOS} gets fewer questions than it may owe answers to. */
    private static final long BETWEEN_QUESTIONS_MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(320);

    private final MxChannel channel;
    private final MxEndpoint endpoint;
    private final Bell bell;
    private final Sleepers sleepers;
    private final Sleepers.Sleeper reading;
    private final Sleepers.Sleeper writing;
    private final Polling receivePolling;
    private final Polling sendPolling;
    private final PeerCheck peerCheck;
    private final Runnable end;

    /** Guarded by this, as are the next four fields. */
    private boolean ready;
    private boolean oobInline;
    private boolean receiverClosed;
    private boolean receiverRetired;
    private boolean senderRetired;
    /** Latched (SWITCH-2). Under the read lock. */
    private long switchedAt = -1;
    /** Whether what comes by the path is known to be lost, and since when TCP has brought nothing, if it is. Under the read lock. */
    private boolean cutOff;
    private long cutOffSince;
    /** When TCP's end was seen, or the peer was heard after that; 0 before. Under the read lock. */
    private long tcpEndedAt;
    /** Whether TCP's end is a reset. Under the read lock. */
    private boolean tcpReset;
    /**
     * When the peer is next asked whether its stream has ended, however many reads have waited for the answer, and the pause
     * after that. Under the read lock.
     */
    private long nextQuestionAt;
    private long toNextQuestion;
    /** Set by {@link #wake}, for a reader that waits for the end: this end itself may have ended TCP. */
    private volatile boolean woken;
    /** TCP was reset or aborted under a waiting writer. The kernel has told that writer of it, and so tells no other thread. */
    private volatile boolean tcpBroken;

    /**
     * Which threads of this end are asleep. The channel tells its news to this object and not to the path, because nothing but
     * the socket may keep the path reachable.
     */
    private static final class Bell implements MxChannel.Listener {
        private final EventBell bell;
        private volatile boolean readerAsleep;
        private volatile boolean writerAsleep;

        Bell() throws NoResourcesException {
            bell = new EventBell();
        }

        @Override
        public void readerNews() {
            if (readerAsleep) {
                readerAsleep = false;
                ring();
            }
        }

        @Override
        public void writerNews() {
            if (writerAsleep) {
                writerAsleep = false;
                ring();
            }
        }

        private void ring() {
            RINGS.increment();
            bell.ringOurselves();
        }
    }

    private final class Reading extends EndpointSleeper {
        Reading() {
            super(endpoint);
        }

        @Override
        boolean hasNews() {
            return channel.available() > 0 || channel.ended() || broken();
        }

        @Override
        public boolean arrived() {
            return switchedAt < 0 ? channel.switchedAt() >= 0 || channel.isCutOff() != cutOff : super.arrived();
        }

        /** Before the switch the next bytes come by TCP, so there is nothing to lead for. */
        @Override
        boolean mayLead() {
            return switchedAt >= 0;
        }

        @Override
        public void announce() {
            super.announce();
            // volatile, as are the fields that arrived() reads: the sleeper or the thread with the news sees the other's store (ORDER-1)
            bell.readerAsleep = true;
        }

        @Override
        public void retract() {
            super.retract();
            bell.readerAsleep = false;
        }
    }

    private final class Writing extends EndpointSleeper {
        Writing() {
            super(endpoint);
        }

        @Override
        boolean hasNews() {
            return channel.hasRoom() || isGone() || channel.failed();
        }

        @Override
        boolean mayLead() {
            return false;
        }

        @Override
        public void announce() {
            super.announce();
            bell.writerAsleep = true;
        }

        @Override
        public void retract() {
            super.retract();
            bell.writerAsleep = false;
        }
    }

    /** Frees everything once the path is retired or garbage, so it must not refer to the path. */
    private record End(MxChannel channel, Sleepers sleepers, Bell bell) implements Runnable {
        @Override
        public void run() {
            try {
                channel.abandon();
            } finally {
                sleepers.end();
                bell.bell.run();
                Step.FREED.reached();
            }
        }
    }

    /** @param channel not connected yet */
    MxPath(MxChannel channel, int pollMicros) throws NoResourcesException {
        this.channel = channel;
        this.endpoint = channel.endpoint();
        Cleaner cleaner = Cleaning.cleaner(); // first: if there is none to be had, there is nothing to free yet
        this.bell = new Bell();
        this.sleepers = new BellSleepers(bell.bell);
        this.reading = new Reading();
        this.writing = new Writing();
        this.receivePolling = Polling.ofMessages(pollMicros);
        this.sendPolling = Polling.ofMessages(pollMicros);
        this.peerCheck = new PeerCheck(channel);
        this.end = cleaner.register(this, new End(channel, sleepers, bell))::clean;
        channel.listener(bell);
    }

    @Override
    public String transport() {
        return MxTransport.NAME;
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
        if (channel.available() == 0) {
            endpoint.progress();
        }
        boolean over = channel.ended() || broken(); // asked first: what came before is there then
        int n = channel.receive(into, offset, length);
        if (n > 0 || !over) {
            return n;
        }
        if (channel.ended()) {
            return channel.endedByReset() ? RESET : END;
        }
        throw channel.failure();
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
    public int awaitData(TcpDescriptor tcp, long deadline) throws IOException {
        // Before the switch the next bytes come by TCP. Polling the endpoint would only delay them.
        if (switchedAt < 0) {
            return awaitSwitch(tcp, deadline);
        }
        if (receivePolling.poll(reading)) {
            return 0;
        }
        long start = System.nanoTime();
        int events = sleep(Sleepers.READER, reading, tcp, Posix.POLLIN, peerCheck.look(deadline));
        receivePolling.slept(System.nanoTime() - start);
        return tcpEvent(events);
    }

    /**
     * Waits for the switch, or for bytes on TCP. The peer may switch, or have switched, to a path that has failed here. Then its
     * bytes don't come, and the peer waits for the answer. So if TCP brings nothing for a second the connection has failed, and
     * closing resets TCP ({@link #isBroken}).
     */
    private int awaitSwitch(TcpDescriptor tcp, long deadline) throws IOException {
        cutOff = switchedAt() < 0 && channel.isCutOff(); // in this order: a switch that came before the failure counts
        long until = deadline;
        if (cutOff) {
            cutOffSince = cutOffSince == 0 ? System.nanoTime() | 1 : cutOffSince;
            until = Deadline.earlier(deadline, cutOffSince + SILENCE_NANOS);
        }
        int event = tcpEvent(sleep(Sleepers.READER, reading, tcp, Posix.POLLIN, peerCheck.look(until)));
        boolean silent = event == 0 && cutOff && System.nanoTime() - cutOffSince >= SILENCE_NANOS;
        if (silent) {
            event = lookForData(tcp); // what had come by now counts, even if this thread had no processor for long
        }
        if (event != 0) {
            cutOffSince = 0;
        } else if (silent) {
            throw channel.failure();
        }
        return event;
    }

    @Override
    public int lookForData(TcpDescriptor tcp) {
        endpoint.progressAll();
        return tcpEvent(Sleepers.look(tcp, Posix.POLLIN));
    }

    private int tcpEvent(int events) {
        tcpReset |= (events & Posix.POLLERR) != 0;
        return events != 0 ? TCP_EVENT : 0;
    }

    private int sleep(int role, Sleepers.Sleeper sleeper, TcpDescriptor tcp, int tcpEvents, long deadline)
            throws IOException {
        endpoint.leadership().beginSleep();
        try {
            return sleepers.sleep(role, sleeper, tcp, tcpEvents, deadline);
        } finally {
            endpoint.leadership().endSleep();
        }
    }

    @Override
    public boolean awaitEnd(long deadline) throws IOException {
        if (!channel.mayBeSentTo()) {
            return true; // so the peer has sent nothing by the path
        }
        long now = System.nanoTime();
        if (tcpEndedAt == 0) {
            tcpEndedAt = now | 1;
            nextQuestionAt = now;
            toNextQuestion = TO_SECOND_QUESTION_NANOS;
        }
        for (;;) {
            if (now - nextQuestionAt >= 0) { // no message tells of the peer's shutdownOutput on TCP, nor of its death
                nextQuestionAt = now + toNextQuestion;
                toNextQuestion = Math.min(2 * toNextQuestion, BETWEEN_QUESTIONS_MAX_NANOS);
                channel.askWhetherEnded();
            }
            endpoint.progressAll(); // what had come by now counts, even if this thread had no processor for long
            if (channel.available() > 0 || channel.ended() || channel.endsWithTcp() || channel.peerExits()) {
                tcpEndedAt = now | 1; // the peer speaks: more may come
                toNextQuestion = TO_SECOND_QUESTION_NANOS;
                return true;
            }
            if (channel.failed() || now - tcpEndedAt >= (tcpReset || tcpBroken ? SILENCE_NANOS : OVERTAKEN_NANOS)) {
                break;
            }
            // the look came after the deadline, because now was read before it
            if (woken || deadline != Deadline.NONE && deadline - now <= 0) {
                woken = false;
                return false;
            }
            Pause.parkInCall(BETWEEN_LOOKS_NANOS);
            now = System.nanoTime();
        }
        throw channel.failed() ? channel.failure() : new SocketException("Connection reset");
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
        return channel.send(from, offset, length);
    }

    @Override
    public int sendOrAwaitRoom(TcpDescriptor tcp, byte[] from, int offset, int length) throws IOException {
        // The events on TCP are errors and hang-ups only: a peer's half-close is no news to a writer (END-3).
        if (sendPolling.poll(writing)) {
            return 0;
        }
        long turn = System.nanoTime() + BETWEEN_SIGNS_NANOS | 1;
        if (sleep(Sleepers.WRITER, writing, tcp, 0, turn) != 0) {
            tcpBroken = true;
        } else if (Deadline.hasPassed(turn)) {
            channel.lookForPeer();
        }
        return 0;
    }

    @Override
    public boolean peerTakesUrgent() {
        return channel.peerTakesUrgent();
    }

    /**
     * Looks for the peer's latest messages: as over TCP, the first write that can know of the peer's close knows of it (END-1). A
     * look is a system call in most fabrics. So if a message of the peer has come just now, this does not look again.
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
    public boolean peerReset() {
        return channel.endedByReset();
    }

    // From any thread.

    /**
     * The peer's writer may be waiting for room. A failed channel can't tell it that this end does not read, but TCP's reset does
     * (END-1).
     */
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
        woken = true;
        sleepers.wake();
    }

    @Override
    public void retireReceiver() {
        retire(true);
    }

    @Override
    public void retireSender() {
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
