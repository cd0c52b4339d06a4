package jfs.mx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import jfs.testing.Await;
import jfs.testing.Background;
import jfs.testing.Natives;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that no honest peer sends, and which thread moves honest ones. */
@Timeout(120)
class MxChannelTest {

    private static final long NONCE = 4711;

    private MxEndpoint ours;
    private MxEndpoint theirs;
    private MxEndpoint strangers;
    private MxChannel channel;
    private MxChannel peers;
    /** The number of bytes that the peer's channel has sent. */
    private int said;

    @BeforeAll
    static void loadNatives() {
        Natives.assumeMx();
    }

    @BeforeEach
    void open() throws Exception {
        ours = MxEndpoint.open(4_096);
        theirs = MxEndpoint.open(4_096);
        strangers = MxEndpoint.open(4_096);
        channel = ours.newChannel(NONCE);
        peers = theirs.newChannel(NONCE);
        channel.connect(peers.description());
    }

    @AfterEach
    void close() throws Exception {
        strangers.close();
        theirs.close();
        ours.close();
    }

    /** Sends a message that a channel never would send. */
    private static void send(MxEndpoint from, MxChannel to, Kind kind, int sequence, long... numbers) throws Exception {
        MxEndpoint.Peer peer = from.connect(to.description().address());
        MessageBuffer message = from.buffers().take();
        message.sender = from.newChannel(0);
        for (long number : numbers) {
            message.putLong(number);
        }
        assertEquals(0, from.send(peer, message, kind.match(to.description().number(), sequence)));
    }

    private void assertViolation(String what) throws Exception {
        Await.until("noticed", channel::failed);
        assertEquals("The peer broke the protocol of MX messages: " + what, channel.failure().getMessage());
        assertEquals(0, channel.available());
    }

    /** A process that guesses well knows the match bits (CHANNEL-7). */
    @Test
    void aStrangersMessagesAreDropped() throws Exception {
        peers.connect(channel.description());
        Await.until("greeted", channel::greeted);
        long before = MxEndpoint.DROPPED.sum();
        send(strangers, channel, Kind.FIRST, 1, 0, 42);
        Await.until("dropped", () -> MxEndpoint.DROPPED.sum() > before);
        assertFalse(channel.failed());
        assertEquals(-1, channel.switchedAt());
        peers.switchAt(7);
        peers.send(new byte[] {1}, 0, 1);
        Await.until("arrived", () -> channel.available() == 1);
        assertEquals(7, channel.switchedAt());
    }

    /** The peer may send before this end has connected to it. The messages after the lost one would wait for it forever. */
    @Test
    void aMessageThatIsLostBeforeItIsKnownWhoSentItCounts() throws Exception {
        MxChannel late = ours.newChannel(NONCE);
        MxEndpoint.Peer them = ours.connect(peers.description().address());
        late.lost(them.nic(), them.id(), them.session() + 1, "a stranger's");
        late.lost(them.nic(), them.id(), them.session(), "no bytes");
        assertFalse(late.failed());
        late.connect(peers.description());
        assertTrue(late.failed());
        assertEquals("no bytes", late.failure().getCause().getMessage());
    }

    @Test
    void messagesForAClosedChannelAreDropped() throws Exception {
        long before = MxEndpoint.DROPPED.sum();
        channel.abandon();
        Await.until("forgotten", () -> ours.channels() == 0);
        send(strangers, channel, Kind.HELLO, 0, NONCE);
        Await.until("dropped", () -> MxEndpoint.DROPPED.sum() > before);
    }

    /** The peer has taken everything. Nothing is under way whose failure would tell of its death (CHANNEL-5). */
    @Test
    void aDeadPeersAnswerIsNotWaitedFor() throws Exception {
        send(theirs, channel, Kind.HELLO, 0, NONCE);
        Await.until("greeted", channel::greeted);
        channel.abandon();
        Await.until("sent", () -> ours.buffersInUse() == MxEndpoint.RECEIVES);
        assertEquals(1, ours.channels());
        theirs.close();
        theirs = MxEndpoint.open(4_096);
        Await.until("forgotten", () -> ours.channels() == 0);
    }

    /** A process was stopped for minutes. It goes on with all the messages that have come meanwhile (CHANNEL-5). */
    @Test
    void aProcessThatWasStoppedTakesItsMessagesBeforeItGivesUpThePeer() throws Exception {
        greet(); // so that their endpoint holds no message of ours
        AtomicLong stoppedFor = new AtomicLong();
        MxEndpoint stopped = MxEndpoint.open(4_096, () -> System.nanoTime() + stoppedFor.get());
        Holding holding = new Holding();
        try {
            MxChannel closing = stopped.newChannel(NONCE);
            MxChannel closings = theirs.newChannel(NONCE);
            closing.connect(closings.description());
            closings.connect(closing.description());
            MxChannel other = stopped.newChannel(NONCE);
            MxChannel others = theirs.newChannel(NONCE);
            other.connect(others.description());
            others.connect(other.description());
            Await.until("greeted", () -> closing.greeted() && closings.greeted() && other.greeted() && others.greeted());

            other.listener(holding); // the endpoint's only thread waits in this listener
            others.tellReceiver(false, true, false);
            holding.awaitHeld();
            closing.abandon();
            Await.until("ended", closings::ended);
            theirs.progressAll(); // any thread that took that end has answered it
            Await.until("sent", () -> theirs.buffersInUse() == MxEndpoint.RECEIVES);
            stoppedFor.set(TimeUnit.MINUTES.toNanos(10));
            holding.release();
            Await.until("forgotten", () -> stopped.channels() == 1);
            assertFalse(closing.failed(), () -> closing.failure().getCause().getMessage());
        } finally {
            holding.release();
            stopped.close();
        }
    }

    /**
     * The opposite case: the endpoint has looked, and there was no message. The endpoint's thread looks while a reader
     * leads too (LEADER-4).
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPeerThatIsSilentForAMinuteIsGivenUp(boolean led) throws Exception {
        AtomicLong later = new AtomicLong();
        MxEndpoint waiting = MxEndpoint.open(4_096, () -> System.nanoTime() + later.get());
        Leadership leadership = waiting.leadership();
        try {
            MxChannel closing = waiting.newChannel(NONCE);
            closing.connect(peers.description()); // the peer doesn't know of this channel, so it never answers
            send(theirs, closing, Kind.HELLO, 0, NONCE);
            Await.until("greeted", closing::greeted);
            if (led) {
                leadership.beginSleep();
                Await.until("led", leadership::lead); // by this thread, which takes no messages
            }
            closing.abandon();
            later.set(TimeUnit.SECONDS.toNanos(30));
            waiting.progressAll();
            assertEquals(1, waiting.channels());
            if (led) {
                Await.until("the thread rests", leadership::threadRests);
            }
            later.set(TimeUnit.SECONDS.toNanos(61));
            Await.until("forgotten", () -> waiting.channels() == 0);
            assertEquals("the peer has been silent for 60 s", closing.failure().getCause().getMessage());
        } finally {
            if (led) {
                leadership.leave();
            }
            waiting.close();
        }
    }

    private void greet() throws Exception {
        peers.connect(channel.description());
        Await.until("greeted", () -> channel.greeted() && peers.greeted());
    }

    /**
     * The failed end tells its peer that it reads no more. Otherwise the peer would wait until it takes the failed end for
     * dead (CHANNEL-5).
     */
    @Test
    void aFailedEndsPeerIsForgottenWithIt() throws Exception {
        talk();
        Await.until("greeted", () -> channel.greeted() && peers.greeted());
        say();
        channel.fail("a test's");
        peers.abandon();
        assertEquals(1, theirs.channels());
        channel.abandon();
        Await.until("forgotten", () -> ours.channels() + theirs.channels() == 0);
        Await.until("only receives", () -> ours.buffersInUse() + theirs.buffersInUse() == 2 * MxEndpoint.RECEIVES);
    }

    /** The bytes of its stream that have not been sent are lost, so this is no end. */
    @Test
    void aFailedEndsStreamHasNoEnd() throws Exception {
        talk();
        Await.until("greeted", () -> channel.greeted() && peers.greeted());
        assertEquals(1, channel.send(new byte[1], 0, 1));
        channel.fail("a test's");
        peers.askWhetherEnded();
        channel.abandon();
        Await.until("closed", peers::peerClosed);
        assertFalse(peers.ended() || peers.endsWithTcp());
    }

    /** The peer asks whether TCP's end is the stream's, and would wait for the answer. */
    @Test
    void theStreamOfAnEndThatFailsBeforeTheSwitchEndsWithTcp() throws Exception {
        greet();
        channel.tellReceiver(true, false, false);
        channel.fail("a test's");
        peers.askWhetherEnded();
        Await.until("answered", peers::endsWithTcp);
        channel.finish(false);
        Await.until("ended", peers::ended);
        assertFalse(peers.endedByReset() || peers.peerClosed());
        assertEquals(-1, peers.switchedAt());
    }

    @Test
    void aMessageBeforeTheGreetingIsAViolation() throws Exception {
        send(theirs, channel, Kind.END, 0);
        assertViolation("a message of kind END");
        assertFalse(channel.ended());
    }

    @Test
    void aGreetingWithAnotherNonceIsAViolation() throws Exception {
        send(theirs, channel, Kind.HELLO, 0, NONCE + 1);
        assertViolation("another nonce");
        assertFalse(channel.greeted());
    }

    @Test
    void dataBeforeTheSwitchIsAViolation() throws Exception {
        send(theirs, channel, Kind.HELLO, 0, NONCE);
        send(theirs, channel, Kind.DATA, 1, 42);
        assertViolation("8 bytes out of turn or beyond the window");
    }

    @Test
    void anAcknowledgementOfUnsentBytesIsAViolation() throws Exception {
        send(theirs, channel, Kind.HELLO, 0, NONCE);
        send(theirs, channel, Kind.RECEIVER, 1, 1, 0);
        assertViolation("1 bytes consumed of 0");
    }

    /** Long messages may complete after short ones that were sent later. */
    @Test
    void messagesAreTakenInTheirOrder() throws Exception {
        send(theirs, channel, Kind.FIRST, 1, 3, 42);
        send(theirs, channel, Kind.END, 2);
        assertFalse(channel.greeted());
        send(theirs, channel, Kind.HELLO, 0, NONCE);
        Await.until("ended", channel::ended);
        assertTrue(channel.greeted());
        assertEquals(3, channel.switchedAt());
        assertEquals(8, channel.receive(new byte[9], 0, 9));
    }

    @Test
    void messagesBeforeTheirTurnAreBounded() throws Exception {
        for (int i = 1; i < 100; i++) {
            send(theirs, channel, Kind.DATA, i, 42);
        }
        assertViolation("messages out of order");
    }

    /** A long message is fetched in several exchanges. The short ones behind it arrive at once. */
    @Test
    void manyShortMessagesMayOvertakeALongOne() throws Exception {
        int length = 512 << 10;
        MxEndpoint from = MxEndpoint.open(length);
        MxEndpoint to = MxEndpoint.open(length);
        try {
            MxChannel sender = from.newChannel(NONCE);
            MxChannel receiver = to.newChannel(NONCE);
            sender.connect(receiver.description());
            receiver.connect(sender.description());
            sender.switchAt(0);
            int sent = sender.send(new byte[length - Long.BYTES], 0, length - Long.BYTES);
            for (int i = 0; i < 1_000; i++) {
                sent += sender.send(new byte[1], 0, 1);
                from.progress();
            }
            int all = sent;
            Await.until("arrived", () -> receiver.available() == all || receiver.failed());
            assertFalse(receiver.failed(), () -> receiver.failure().getMessage());
        } finally {
            from.close();
            to.close();
        }
    }

    /** The peer claims to take everything, and takes nothing. */
    @Test
    void aWindowThatThePeerNamesIsLimited() throws Exception {
        MxChannel.Description it = peers.description();
        MxChannel writer = ours.newChannel(NONCE);
        writer.connect(new MxChannel.Description(it.address(), it.number(), it.messageMax(), Integer.MAX_VALUE));
        writer.switchAt(0);
        byte[] bytes = new byte[2 * MxChannel.WINDOW];
        assertEquals(MxChannel.WINDOW, writer.send(bytes, 0, bytes.length));
        assertEquals(0, writer.send(bytes, 0, 1));
    }

    /** A peer that asks and takes no answers would make this process keep all answers. */
    @Test
    void answersThatAreNotTakenAreBounded() throws Exception {
        peers.connect(channel.description());
        Await.until("greeted", channel::greeted);
        Holding holding = new Holding();
        peers.listener(holding);
        try {
            channel.tellReceiver(false, true, false);
            holding.awaitHeld();
            MxEndpoint.Peer them = ours.connect(peers.description().address());
            int questions = 0;
            for (; questions < 1_000_000 && !channel.failed(); questions++) {
                MessageBuffer message = ours.buffers().take();
                long match = Kind.ASK.match(channel.number(), 1 + questions & Kind.SEQUENCE_MASK);
                assertTrue(channel.arrived(message, match, them.nic(), them.id(), them.session()));
            }
            assertViolation("more questions than it takes answers to");
            assertTrue(ours.buffersInUse() < 300, () -> ours.buffersInUse() + " buffers");
        } finally {
            holding.release();
        }
    }

    /** Holds the thread that reports a writer's news. */
    private static final class Holding implements MxChannel.Listener {
        private final CountDownLatch held = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        @Override
        public void readerNews() {
        }

        @Override
        public void writerNews() {
            held.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void awaitHeld() throws InterruptedException {
            assertTrue(held.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "nobody comes by");
        }

        void release() {
            released.countDown();
        }
    }

    /** The endpoint's thread leaves messages for others to the thread that polls (LEADER-1). */
    @Test
    void aPollingThreadHandsOnTheMessagesOfOthers() throws Exception {
        talk();
        byte[] window = new byte[MxChannel.WINDOW];
        try (Poller poller = new Poller()) {
            poller.awaitHandedOn();
            said += peers.send(window, 0, window.length);
            Await.until("the stream", () -> channel.available() == window.length);
            assertEquals(window.length, said);

            assertEquals(window.length, channel.send(window, 0, window.length));
            assertFalse(channel.hasRoom());
            Await.until("all that was sent", () -> peers.available() == window.length);
            assertEquals(window.length, peers.receive(window, 0, window.length));
            Await.until("credits", channel::hasRoom);

            peers.finish(false);
            Await.until("the end", channel::ended);
        }
    }

    /** The endpoint's thread dozes only while another thread polls, and for a moment after that (LEADER-1). */
    @Test
    void messagesAreHandedOnWhenPollingHasEnded() throws Exception {
        talk();
        try (Poller poller = new Poller()) {
            poller.awaitHandedOn();
            poller.stop();
            say();
            Await.until("handed on", () -> channel.available() == said);
        }
    }

    /** The endpoint's thread doesn't doze while a thread sleeps (LEADER-1). */
    @Test
    void aSleepingThreadIsWokenRightAfterAnotherThreadHasPolled() throws Exception {
        talk();
        for (int i = 0; i < 100; i++) { // it does not doze before that each time
            try (Poller poller = new Poller()) {
                poller.awaitHandedOn();
                ours.leadership().beginSleep();
                ours.leadership().follow();
                try {
                    poller.stop();
                    say();
                    while (channel.available() < said) {
                        assertTrue(poller.news.tryAcquire(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "not woken");
                    }
                } finally {
                    ours.leadership().endSleep();
                }
            }
        }
    }

    /** Sends both directions as messages from the first byte on. */
    private void talk() throws Exception {
        peers.connect(channel.description());
        peers.switchAt(0);
        channel.switchAt(0);
    }

    private void say() throws Exception {
        assertEquals(1, peers.send(new byte[1], 0, 1));
        said++;
    }

    /** A thread that only polls our endpoint. It is also the listener that gets the reader's news. */
    private final class Poller implements MxChannel.Listener, AutoCloseable {
        final Semaphore news = new Semaphore(0);
        private volatile boolean handedOn;
        private volatile boolean over;
        private final Background<Void> polling = Background.run(() -> {
            while (!over) {
                ours.progress();
            }
        });

        Poller() {
            channel.listener(this);
        }

        @Override
        public void readerNews() {
            if (Thread.currentThread() == polling.thread()) {
                handedOn = true;
            }
            news.release();
        }

        @Override
        public void writerNews() {
        }

        /** The peer sends until this thread has handed something on. */
        void awaitHandedOn() throws Exception {
            Await.until("handed on by who polls", () -> {
                say();
                return handedOn;
            });
        }

        /** Returns when the thread polls no more. */
        void stop() throws Exception {
            over = true;
            polling.result();
        }

        @Override
        public void close() {
            over = true;
        }
    }
}
