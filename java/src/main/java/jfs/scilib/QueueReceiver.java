package jfs.scilib;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import jfs.memory.Shared;
import jfs.nativelib.Sisci;
import jfs.ring.AsleepWord;
import jfs.ring.InboxLayout;
import jfs.ring.RingReceiver;
import jfs.sisci.SciException;
import jfs.spi.NoResourcesException;
import jfs.wait.Deadline;
import jfs.wait.Sleepers;

/** The receiving end of a message queue: see {@link MessageQueues}. Any thread may use it; threads take turns. */
public final class QueueReceiver implements Closeable {

    private static final int ANSWER_MILLIS = 10;
    /** A value of SENDER that is not the id of any segment. */
    private static final int NOBODY = -1;

    private final QueueEnd end;
    private final int window;
    private final long nonce = ThreadLocalRandom.current().nextLong();
    /** null until a sender has been found. */
    private RingReceiver ring;
    private final TurnLock turns = new TurnLock();
    private final AtomicBoolean closing = new AtomicBoolean();

    private final Sleepers.Sleeper news = new Sleepers.Sleeper() {
        @Override
        public boolean arrived() throws IOException {
            return (ring == null ? end.mine().sender() != 0 : ring.hasNews() || isOver()) || closing.get();
        }

        @Override
        public void announce() {
            if (end.theirs() != null) { // else a new sender rings in any case
                end.theirs().reader().announce(AsleepWord.BELL);
            }
        }

        @Override
        public void retract() {
            if (end.theirs() != null) {
                end.theirs().reader().retract();
            }
        }
    };

    QueueReceiver(int senderNode, int id, int window, int pollMicros) throws IOException {
        this.window = window;
        end = new QueueEnd(senderNode, pollMicros);
        try {
            if (!end.export(InboxLayout.QUEUE_ID | id, window, nonce)) {
                throw new IOException("a queue " + id + " exists already on this node");
            }
        } catch (Throwable e) { // an OutOfMemoryError too
            end.free();
            throw e;
        }
    }

    /**
     * Receives bytes. Blocks until all are there, the queue has ended, or the time is over. An interrupt of the thread has no
     * effect. A virtual thread holds its carrier meanwhile.
     *
     * @param millis the longest wait in milliseconds; 0: takes what is there; below 0: no limit
     * @return how many bytes were received: all, unless the time is over or the queue has ended; -1 if the queue has ended and
     *         all its bytes were received before: the sender has closed its end or its process is gone
     * @throws IOException if this end is closed; if the other end has corrupted the queue; if stores into its memory were
     *             lost on a fabric; or if there is too little memory or the like to reach it, and the caller may try again
     */
    public int receive(byte[] into, int offset, int length, int millis) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        turns.begin();
        try {
            return receiveAll(into, offset, length, millis);
        } finally {
            turns.end();
        }
    }

    private int receiveAll(byte[] into, int offset, int length, int millis) throws IOException {
        check();
        if (ring != null && receiveLine(into, offset, length, millis)) {
            end.checkStores();
            return length;
        }
        long deadline = Deadline.in(Math.max(0, millis));
        int received = 0;
        for (;;) {
            check();
            int n = take(into, offset + received, length - received);
            received += Math.max(0, n);
            if (received == length || n < 0) {
                return received > 0 || length == 0 ? received : -1;
            }
            if (millis == 0 || !end.await(news, deadline) || ring == null && Deadline.hasPassed(deadline)) {
                return received;
            }
        }
    }

    /** The short way, for a record that is there, or comes within a first moment as most answers do. */
    private boolean receiveLine(byte[] into, int offset, int length, int millis) {
        if (ring.receiveLine(into, offset, length, 1)) {
            return true;
        }
        int looks = millis == 0 ? 0 : end.polling().firstLooks();
        if (looks == 0 || !ring.receiveLine(into, offset, length, looks)) {
            return false;
        }
        end.polling().foundAtFirst();
        return true;
    }

    /** The number of bytes that {@link #receive} would return without waiting. It is 0 also when the queue has ended. */
    public int available() throws IOException {
        turns.begin();
        try {
            check();
            return findSender() ? ring.available() : 0;
        } finally {
            turns.end();
        }
    }

    private int take(byte[] into, int offset, int length) throws IOException {
        if (!findSender()) {
            return 0;
        }
        int n = ring.receive(into, offset, length);
        if (n == 0 && isOver()) {
            n = ring.receive(into, offset, length); // a thread that sees the end sees all that came before
            if (n == 0) {
                return -1;
            }
        }
        wakeSender();
        end.checkStores();
        return n;
    }

    /** If the head was published, wakes a sender that sleeps because there was no room. */
    private void wakeSender() {
        if (ring.takePublished() && end.theirs() != null && end.mine().writer().take() != AsleepWord.AWAKE) {
            end.ring();
        }
    }

    private void check() throws IOException {
        if (closing.get()) {
            throw new IOException("the queue's receiving end is closed");
        }
    }

    private boolean isOver() {
        return end.mine().ended() || end.isGone();
    }

    /** Looks for a sender that has connected, and connects to its segment, which takes a moment. @return whether there is one */
    private boolean findSender() throws IOException {
        if (ring != null) {
            return true;
        }
        int id = end.mine().sender();
        if (id == 0) {
            return false;
        }
        if (!connect(id)) {
            return false;
        }
        Shared heads = end.theirs() != null ? end.theirs().memory()
                : new Shared(ByteBuffer.allocateDirect(InboxLayout.PAGE), 0, InboxLayout.PAGE); // no process reads these
        ring = new RingReceiver(end.mine().memory(), heads, window, 0);
        return true;
    }

    /**
     * Connects to the sender's segment.
     *
     * @return false if the sender did not answer and this is to be tried again; true also if the sender is gone, because what it
     *         has sent is still received
     */
    private boolean connect(int id) throws NoResourcesException {
        try {
            end.connect(id, 0, Deadline.in(ANSWER_MILLIS));
            if (end.theirs().nonce() == nonce) {
                return true;
            }
        } catch (NoResourcesException e) {
            throw e;
        } catch (IOException e) { // other failures: the segment is wrong or can't be reached any more, so the sender counts as gone
            if (e instanceof SciException it && it.error() == Sisci.TIMEOUT) {
                return false;
            }
        }
        end.letGo();
        end.setGone();
        return true;
    }

    /**
     * Ends the queue. What has not been received is lost. A thread that is blocked in this object gets an IOException. The
     * queue's number is free again then; behind a card when the sender has closed its end too.
     */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        end.wake();
        turns.begin();
        try {
            tellSender();
        } finally {
            try {
                end.free();
            } finally {
                turns.end();
            }
        }
    }

    /**
     * Tells the sender that this end will not receive any more. This includes a sender that has connected and was not found yet. No sender
     * can connect after this.
     */
    private void tellSender() {
        try {
            if (ring == null && !end.mine().claim(NOBODY)) {
                connect(end.mine().sender());
            }
        } catch (NoResourcesException e) {
            return;
        }
        if (end.theirs() != null) {
            end.theirs().setReceiver(false, false, true);
            if (end.mine().writer().take() != AsleepWord.AWAKE) {
                end.ring();
            }
        }
    }
}
