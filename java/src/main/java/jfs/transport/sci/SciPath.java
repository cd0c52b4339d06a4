package jfs.transport.sci;

import java.io.IOException;
import java.lang.ref.Reference;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import jfs.nativelib.Posix;
import jfs.ring.AsleepWord;
import jfs.ring.Inbox;
import jfs.ring.InboxLayout;
import jfs.ring.RingReceiver;
import jfs.ring.RingSender;
import jfs.spi.Claim;
import jfs.spi.FastPath;
import jfs.spi.FutexWords;
import jfs.spi.Preferences;
import jfs.spi.TcpDescriptor;
import jfs.spi.WaitCounters;
import jfs.steps.Step;
import jfs.wait.Deadline;
import jfs.wait.Sleepers;

/** One end of a connection over a shared segment: two inboxes, two rings, a bell at either end. */
final class SciPath implements FastPath {

    /** How often a sleeping thread of the peer was woken. */
    static final LongAdder RINGS = new LongAdder();

    private final SciResources resources;
    private final SenderMemory senderMemory;
    private final Lease lease;
    private final Inbox mine;
    private final Inbox theirs;
    private final EndWords words;
    private final RingReceiver receiver;
    private final RingSender sender;
    private final Sleepers sleepers;
    private final DirectionWaits readerWaits;
    private final DirectionWaits writerWaits;
    private final int longMin;
    private WaitCounters counters = WaitCounters.NONE;

    /** Latched copies (SWITCH-2): the words are not read again. */
    private long switchedAt = -1;
    private boolean peerReady;
    /** TCP has told a waiting writer that the peer does not read any more. Under the write lock. */
    private boolean tcpBroken;

    private final Sleepers.Sleeper reading;
    private final Sleepers.Sleeper writing;

    /** @param memory the budget of which the resources have a share */
    SciPath(SciResources resources, SciTransport.Sizes sizes, MemoryBudget memory, int version) {
        this.resources = resources;
        this.theirs = new Inbox(resources.theirs());
        this.mine = new Inbox(resources.mine());
        this.words = new EndWords(theirs);
        this.senderMemory = new SenderMemory(resources, memory, InboxLayout.RING + sizes.window(), sizes.overflow());
        this.reading = new InboxSleeper(theirs.reader(), version) {
            @Override
            public boolean arrived() throws IOException {
                return switchedAt < 0 ? mine.switched() >= 0 : receiver.hasNews() || mine.ended();
            }

            @Override
            public boolean comeByWords() {
                return switchedAt >= 0 && receiver.nextHeader() >= 0;
            }

            @Override
            public long watch(long nanos, long alone, long lost) {
                return mine.watchForNews(receiver.nextHeader(), nanos, alone, lost);
            }
        };
        this.writing = new InboxSleeper(theirs.writer(), version) {
            @Override
            public boolean arrived() throws IOException {
                return sender.hasRoom() || peerGone();
            }

            @Override
            public boolean comeByWords() {
                return true;
            }

            @Override
            public long watch(long nanos, long alone, long lost) {
                int said = mine.receiver();
                return peerGone() ? 1 : mine.watchForRoom(sender.headWord(), sender.lastHead(), said, nanos, alone, lost);
            }
        };
        this.receiver = new RingReceiver(mine.memory(), theirs.memory(), sizes.window(), sizes.overflow(), InboxLayout.rewinds(version));
        this.sender = new RingSender(theirs.memory(), mine.memory(), sizes.window(), sizes.overflow(), sizes.longMin(),
                InboxLayout.rewinds(version), senderMemory);
        senderMemory.of(sender);
        this.sleepers = resources.sleepers();
        this.readerWaits = new DirectionWaits(Sleepers.READER, resources, sleepers, reading, sizes.pollMicros());
        this.writerWaits = new DirectionWaits(Sleepers.WRITER, resources, sleepers, writing, sizes.pollMicros());
        this.longMin = sizes.longMin();
        resources.enter(sleepers);
        this.lease = new Lease(this, new PathMemory(sleepers, resources)); // last: from here on the collector may free the resources
    }

    @Override
    public String transport() {
        return SciTransport.NAME;
    }

    @Override
    public void countWaitsIn(WaitCounters counters) {
        this.counters = counters;
        readerWaits.countIn(counters);
        writerWaits.countIn(counters);
        counters.hasRing(sender.ringBytes());
    }

    @Override
    public void prefer(Preferences preferences) {
        readerWaits.prefer(preferences);
        writerWaits.prefer(preferences);
        sender.longMin(preferences.longMin(longMin));
    }

    // Receiving half: under the read lock.

    @Override
    public void ready() {
        words.ready();
    }

    @Override
    public long switchedAt() throws IOException {
        if (switchedAt < 0) {
            switchedAt = mine.switched();
            if (switchedAt >= 0) {
                resources.makeUnavailable();
            }
        }
        return switchedAt;
    }

    @Override
    public int receive(byte[] into, int offset, int length) throws IOException {
        int n = receiver.receive(into, offset, length);
        if (n == 0 && mine.ended()) {
            n = receiver.receive(into, offset, length); // a reader that sees the end sees all that came before it
            if (n == 0) {
                return end();
            }
        }
        received();
        return n;
    }

    private int end() {
        return mine.endedByReset() ? RESET : END;
    }

    @Override
    public int receive(ByteBuffer into) throws IOException {
        int at = into.position();
        int n = receiver.receive(into, at, into.remaining());
        if (n == 0 && mine.ended()) {
            n = receiver.receive(into, at, into.remaining()); // as for an array
            if (n == 0) {
                return end();
            }
        }
        into.position(at + n);
        received();
        return n;
    }

    @Override
    public int peek(Claim into, byte[] orElse, int offset, int length) throws IOException {
        int n = receiver.peek(into, 1);
        boolean ended = n == 0 && mine.ended();
        int looks = n != 0 ? 0 : ended ? 1 : looks(); // after the end once, as for an array
        if (looks > 0) {
            n = receiver.peek(into, looks);
            if (n > 0 && !ended) {
                readerWaits.foundAtFirst();
            }
        }
        if (n > 0) {
            lease.receiverShows(into);
        } else if (!ended) {
            received();
        }
        return n == 0 && ended ? end() : n;
    }

    @Override
    public void release(int bytes) throws IOException {
        receiver.release(bytes);
        received();
    }

    /** Called after the receiver was used. */
    private void received() throws SocketException {
        lease.receiverShows(null);
        if (receiver.takeProgress()) {
            wakePeer(mine.writer(), true);
        }
        resources.checkStores();
    }

    @Override
    public int receiveSoon(byte[] into, int offset, int length) throws IOException {
        int n = receive(into, offset, length);
        int looks = n != 0 ? 0 : looks();
        if (looks == 0) {
            return n; // bytes that are there already do not raise the confidence (POLL-1)
        }
        n = receiver.receive(into, offset, length, looks);
        if (n > 0) {
            readerWaits.foundAtFirst();
            received();
        }
        return n;
    }

    /** How often a reader that has found nothing looks again at once. */
    private int looks() {
        return receiver.nextHeader() < 0 ? 0 : readerWaits.firstLooks();
    }

    @Override
    public int available() throws IOException {
        return receiver.available();
    }

    @Override
    public boolean readable() throws IOException {
        return receiver.hasNews() || mine.ended() || resources.hasLostStores();
    }

    @Override
    public int awaitData(TcpDescriptor tcp, long deadline) throws IOException {
        // Before the switch the next bytes come by TCP. Polling the ring would only delay them.
        boolean switched = switchedAt >= 0;
        if (switched && (readerWaits.poll() || readerWaits.nap(receiver))) {
            return 0;
        }
        return (switched ? readerWaits.sleepAfterPoll(tcp, deadline) : readerWaits.sleep(tcp, deadline)) != 0 ? TCP_EVENT : 0;
    }

    @Override
    public int lookForData(TcpDescriptor tcp) {
        return Sleepers.look(tcp, Posix.POLLIN) != 0 ? TCP_EVENT : 0;
    }

    @Override
    public long armReceiver(TcpDescriptor tcp, Runnable callback, FutexWords words) throws IOException {
        return readerWaits.arm(tcp, callback, words);
    }

    @Override
    public void retractReceiver() {
        readerWaits.retract();
    }

    @Override
    public void disarmReceiver() {
        readerWaits.disarm();
    }

    // Sending half: under the write lock.

    @Override
    public boolean peerReady() {
        if (!peerReady) {
            peerReady = mine.receiverReady();
            if (peerReady) {
                resources.makeUnavailable();
            }
        }
        return peerReady;
    }

    @Override
    public void switchAt(long count) {
        theirs.setSwitched(count);
    }

    @Override
    public int send(byte[] from, int offset, int length) throws IOException {
        int n = sender.send(from, offset, length);
        if (n > 0) {
            published(n);
        }
        return n;
    }

    /** Called after the sender has taken that many bytes. */
    private void published(int bytes) throws SocketException {
        lease.senderShows(null); // the bytes have taken the place of an open claim (CLAIM-2)
        senderMemory.sent(bytes);
        resources.checkStores();
        wakePeer(mine.reader(), false);
        senderMemory.releaseDrained();
    }

    @Override
    public int sendOrAwaitRoom(TcpDescriptor tcp, byte[] from, int offset, int length) throws IOException {
        // A reader that is at work soon makes room. Going through cold memory instead would cost more.
        if (writerWaits.pollInAnyCase()) {
            return 0;
        }
        int n = sender.spill(from, offset, length);
        if (n > 0) {
            published(n);
            return n;
        }
        // The events on TCP are errors and hang-ups only: a peer's half-close is no news to a writer (END-3).
        noteDeath(tcp, writerWaits.sleepAfterPoll(tcp, Deadline.NONE));
        return 0;
    }

    @Override
    public int trySend(TcpDescriptor tcp, ByteBuffer from) throws IOException {
        int at = from.position();
        int n = sender.send(from, at, from.remaining());
        n = n > 0 ? n : sender.spill(from, at, from.remaining());
        if (n == 0) {
            noteDeath(tcp, Sleepers.look(tcp, 0));
            return 0;
        }
        from.position(at + n);
        published(n);
        return n;
    }

    @Override
    public boolean claim(Claim into, int least, int most) throws IOException {
        lease.senderShows(into);
        if (sender.claim(into, least, most)) {
            return true;
        }
        wakePeer(mine.reader(), false); // commit(bytes, true) has left it out
        return writerWaits.pollInAnyCase() && sender.claim(into, least, most);
    }

    @Override
    public void commit(int bytes, boolean more) throws IOException {
        sender.commit(bytes);
        if (more) {
            senderMemory.sent(bytes); // one look for a sleeping reader is enough for several records, after the last one (ORDER-1)
        } else {
            published(bytes);
        }
    }

    @Override
    public boolean writable() throws IOException {
        return sender.canTakeOrSpill() || resources.hasLostStores();
    }

    @Override
    public long armSender(TcpDescriptor tcp, Runnable callback, FutexWords words) throws IOException {
        return writable() ? 0 : writerWaits.arm(tcp, callback, words);
    }

    @Override
    public void retractSender() {
        writerWaits.retract();
    }

    @Override
    public void disarmSender() {
        writerWaits.disarm();
    }

    /** @param events errors and hang-ups on TCP */
    private void noteDeath(TcpDescriptor tcp, int events) throws IOException {
        if (events != 0 || SciResources.isApart() && !writing.arrived() && UntoldDeath.of(tcp, mine)) {
            tcpBroken = true;
        }
    }

    @Override
    public void trim(boolean idle) throws IOException {
        senderMemory.trim(idle);
    }

    @Override
    public boolean peerTakesUrgent() {
        if (!lease.enter()) {
            return false;
        }
        try {
            return mine.receiverTakesUrgent();
        } finally {
            leave();
        }
    }

    @Override
    public boolean peerGone() {
        return tcpBroken || resources.isPeerGone() || mine.receiverClosed();
    }

    @Override
    public boolean peerDied() {
        return (tcpBroken || resources.isPeerGone()) && !mine.receiverClosed() && !mine.ended();
    }

    @Override
    public void peerHasDied() {
        resources.peerHasDied();
    }

    @Override
    public void tcpCloses(TcpDescriptor tcp) {
        UntoldDeath.endPath(this, tcp, mine, lease, resources);
    }

    @Override
    public boolean peerReset() {
        return mine.endedByReset();
    }

    /** Called after {@link Lease#enter}. Keeps the path reachable until here: the collector's cleaner counts no users (LEASE-3). */
    private void leave() {
        Reference.reachabilityFence(this);
        lease.leave();
    }

    /** @param byReader for the counters; else the writer calls, or a thread that closes */
    private void wakePeer(AsleepWord word, boolean byReader) {
        if (resources.wakePeer(word)) {
            RINGS.increment();
            counters.rang(byReader);
        }
    }

    // From any thread.

    @Override
    public void takeUrgent(boolean inline) {
        if (lease.enter()) {
            try {
                words.takeUrgent(inline);
            } finally {
                leave();
            }
        }
    }

    @Override
    public void finish(boolean reset) {
        if (lease.enter()) {
            try {
                words.finish(reset);
                wakePeer(mine.reader(), false);
            } finally {
                leave();
            }
        }
    }

    @Override
    public void closeReceiver() {
        if (lease.enter()) {
            try {
                words.closeReceiver();
                Step.RECEIVER_CLOSED.reached();
                wakePeer(mine.writer(), true);
            } finally {
                leave();
            }
        }
    }

    @Override
    public void wake() {
        if (lease.enter()) {
            try {
                sleepers.wake();
            } finally {
                leave();
            }
        } else { // both halves are retired, and an armed callback holds no lock that would have prevented that
            sleepers.runCallbacks();
        }
    }

    @Override
    public void retireReceiver() {
        lease.retireReceiver();
    }

    @Override
    public void retireSender() {
        lease.retireSender();
    }
}
