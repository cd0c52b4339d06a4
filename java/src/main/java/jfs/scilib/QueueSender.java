package jfs.scilib;

import java.io.Closeable;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import jfs.ring.AsleepWord;
import jfs.ring.InboxLayout;
import jfs.ring.RingSender;
import jfs.wait.Deadline;
import jfs.wait.Sleepers;

/** The sending end of a message queue: see {@link MessageQueues}. Any thread may use it; threads take turns. */
public final class QueueSender implements Closeable {

    private final QueueEnd end;
    private final RingSender ring;
    private final TurnLock turns = new TurnLock();
    private final AtomicBoolean closing = new AtomicBoolean();

    private final Sleepers.Sleeper room = new Sleepers.Sleeper() {
        @Override
        public boolean arrived() throws IOException {
            return ring.hasRoom() || receiverGone() || closing.get();
        }

        @Override
        public void announce() {
            end.theirs().writer().announce(AsleepWord.BELL);
        }

        @Override
        public void retract() {
            end.theirs().writer().retract();
        }
    };

    QueueSender(int receiverNode, int id, int window, int millis, int pollMicros) throws IOException {
        end = new QueueEnd(receiverNode, pollMicros);
        try {
            end.connectWhenThere(InboxLayout.QUEUE_ID | id, window, millis);
            if (!end.theirs().claim(end.exportUnderFreeId(end.theirs().nonce()))) {
                throw new IOException("queue " + id + " has, or has had, a sender");
            }
            ring = new RingSender(end.theirs().memory(), end.mine().memory(), window, 0, InboxLayout.QUEUE_LONG_MIN);
            end.ring(); // a receiver that waits already can't have announced that to this end
        } catch (Throwable e) { // an OutOfMemoryError too
            end.free();
            throw e;
        }
    }

    /**
     * Sends bytes. Blocks until there was room for all of them, or the time is over. An interrupt of the thread has no effect.
     * A virtual thread holds its carrier meanwhile.
     *
     * @param millis the longest wait in milliseconds; 0: sends what there is room for at once; below 0: no limit
     * @return how many bytes were sent: all, unless the time is over
     * @throws IOException if the receiver has closed its end or its process is gone, so that it is not known how much of
     *             what was sent it has received; if this end is closed; if the other end has corrupted the queue; or if stores
     *             into its memory were lost on a fabric
     */
    public int send(byte[] from, int offset, int length, int millis) throws IOException {
        Objects.checkFromIndexSize(offset, length, from.length);
        turns.begin();
        try {
            check();
            if (ring.sendLine(from, offset, length)) {
                end.checkStores();
                wakeReceiver();
                ring.zeroAhead();
                return length;
            }
            return sendAll(from, offset, length, millis);
        } finally {
            turns.end();
        }
    }

    private int sendAll(byte[] from, int offset, int length, int millis) throws IOException {
        long deadline = Deadline.in(Math.max(0, millis));
        int sent = 0;
        for (;;) {
            check();
            int n = ring.send(from, offset + sent, length - sent);
            sent += n;
            end.checkStores();
            if (n > 0) {
                wakeReceiver();
            }
            if (sent == length || millis == 0 || !end.await(room, deadline)) {
                return sent;
            }
        }
    }

    /** Wakes the receiver if it sleeps. Called after something was published. */
    private void wakeReceiver() {
        if (end.mine().reader().take() != AsleepWord.AWAKE) {
            end.ring();
        }
    }

    private void check() throws IOException {
        if (closing.get()) {
            throw new IOException("the queue's sending end is closed");
        }
        if (receiverGone()) {
            throw new IOException("the queue's receiver has closed it or is gone");
        }
    }

    private boolean receiverGone() {
        return end.isGone() || end.mine().receiverClosed();
    }

    /** Ends the queue. The receiver still gets what was sent. A thread that is blocked in this object gets an IOException. */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        end.wake();
        turns.begin();
        try {
            end.theirs().setEnded(false);
            wakeReceiver();
            end.free();
        } finally {
            turns.end();
        }
    }
}
