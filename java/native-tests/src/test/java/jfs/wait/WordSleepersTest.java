package jfs.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import jfs.memory.Shared;
import jfs.memory.WakeWord;
import jfs.nativelib.Posix;
import jfs.spi.FutexWords;
import jfs.spi.TcpDescriptor;
import jfs.testing.Await;
import jfs.testing.Background;
import jfs.testing.Natives;
import jfs.threads.EventLoop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A thread that is announced is told of each event on TCP that matters to it, and of each ring that may be meant for it (SLEEP-5). TCP is
 * a real connection. The bell and the words of the inboxes are the test's. The words never hold news, so a thread that looks there again
 * finds nothing. Only the wake-up ends its sleep. If an event is lost, the thread is still asleep after {@link Await#LIMIT}.
 */
@Timeout(120)
class WordSleepersTest {

    /** 127.0.0.1 as an IPv6 address. */
    private static final byte[] LOOPBACK = HexFormat.of().parseHex("00000000000000000000ffff7f000001");
    private static final int ASLEEP_IN_FUTEX = 2;

    /** How a thread sleeps. */
    private enum Way {
        PARKED, IN_FUTEX
    }

    private enum Event {
        /** The peer sends a byte by TCP. */
        BYTES(Posix.POLLIN),
        /** The peer ends its half of TCP. */
        END(Posix.POLLIN),
        /** The peer resets TCP. */
        RESET(Posix.POLLERR),
        /** A thread of this end closes the socket. */
        CLOSE(0),
        /** The peer process has gone. */
        PEER_GONE(0),
        /** The bell was rung for the thread. */
        RING(0);

        /** What the sleeping thread is told of TCP. */
        final int onTcp;

        Event(int onTcp) {
            this.onTcp = onTcp;
        }

        boolean mattersTo(int role) {
            return role == Sleepers.READER || this != BYTES && this != END;
        }
    }

    /** When the event comes: while the thread is asleep, or while it is on its way to sleep. */
    private enum Moment {
        ASLEEP, AFTER_ANNOUNCE, AFTER_LOOK
    }

    private record Case(int role, Way way, Event event, Moment moment) {
    }

    private int own;
    private Socket peer;
    private final WordSleepers sleepers = new WordSleepers(new SharedBell() {
        @Override
        public void watchedBy(EventLoop loop) {
        }
    });
    private final TcpDescriptor tcp = new TcpDescriptor() {
        @Override
        public int acquire() {
            return own;
        }

        @Override
        public void release() {
        }

        @Override
        public boolean hasEvent() {
            return Sleepers.look(own, Posix.POLLIN) != 0;
        }
    };

    @BeforeEach
    void connect() throws Exception {
        Natives.load();
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            byte[] tuple = ByteBuffer.allocate(Posix.TUPLE_BYTES).put(LOOPBACK).put(Posix.TUPLE_BYTES / 2, LOOPBACK).array();
            own = Posix.tcpConnect(tuple, listener.getLocalPort());
            assertTrue(own >= 0, () -> Posix.errorText(-own));
            peer = listener.accept();
        }
    }

    @AfterEach
    void close() throws IOException {
        sleepers.end();
        peer.close();
        Posix.close(own);
    }

    /** A thread that sleeps again until it is told of an event, as its callers do. It may cause the event itself on its way to sleep. */
    private class Sleeping implements Sleepers.Sleeper {

        final int role;
        Background<Integer> events;
        /** What the thread's caller looks at when it is awake. */
        volatile boolean over;
        volatile int sleeps;
        /** The event to cause in the next sleep, and when. */
        volatile Event event;
        volatile Moment moment;

        Sleeping(int role) {
            this.role = role;
        }

        void begin() {
            events = Background.call(() -> {
                int found = 0;
                while (!over && found == 0) {
                    found = sleepers.sleep(role, this, tcp, role == Sleepers.READER ? Posix.POLLIN : 0, Deadline.NONE);
                }
                return found;
            });
        }

        void cause(Event what) throws IOException {
            over = what.onTcp == 0;
            switch (what) {
                case BYTES -> peer.getOutputStream().write(1);
                case END -> peer.shutdownOutput();
                case RESET -> {
                    peer.setSoLinger(true, 0);
                    peer.close();
                }
                case CLOSE -> sleepers.wake();
                case PEER_GONE -> sleepers.peerHasGone();
                case RING -> sleepers.bellRung(role);
            }
        }

        private void causeIfDue(Moment now) {
            if (moment == now) {
                moment = null;
                try {
                    cause(event);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        }

        @Override
        public void announce() {
            sleeps++;
            causeIfDue(Moment.AFTER_ANNOUNCE);
        }

        @Override
        public boolean arrived() {
            causeIfDue(Moment.AFTER_LOOK); // the look itself has found nothing
            return false;
        }

        @Override
        public void retract() {
        }
    }

    private final class InFutex extends Sleeping implements WordSleepers.FutexSleeper {

        private final Shared word = new Shared(ByteBuffer.allocateDirect(Integer.BYTES), 0, Integer.BYTES);

        InFutex(int role) {
            super(role);
        }

        @Override
        public boolean maySleepInFutex() {
            return true;
        }

        @Override
        public void announceFutex() {
            word.setIntRelease(0, ASLEEP_IN_FUTEX);
            announce();
        }

        @Override
        public void addTo(FutexWords words) {
            word.addTo(words, 0, ASLEEP_IN_FUTEX);
        }

        @Override
        public boolean sleepInFutex(WakeWord ownWord, long nanos) {
            return word.sleepWhile(0, ASLEEP_IN_FUTEX, ownWord, nanos);
        }

        @Override
        public boolean comeByWords() {
            return false;
        }

        @Override
        public long watch(long nanos, long alone, long lost) {
            throw new AssertionError("a sleeper does not watch words");
        }
    }

    private Sleeping asleep(int role, Way way) throws Exception {
        assumeTrue(way == Way.PARKED || Shared.canSleep(), "this kernel has no futex_waitv");
        Sleeping sleeping = way == Way.PARKED ? new Sleeping(role) : new InFutex(role);
        sleeping.begin();
        sleeping.events.blocked();
        return sleeping;
    }

    private static void assertIsTold(Event event, Sleeping sleeping) throws Exception {
        int told = sleeping.events.result();
        assertEquals(event.onTcp, told & event.onTcp, () -> "events " + told);
        assertTrue(event.onTcp != 0 || told == 0, () -> "events " + told);
    }

    static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (int role : new int[] {Sleepers.READER, Sleepers.WRITER}) {
            for (Way way : Way.values()) {
                for (Event event : Event.values()) {
                    for (Moment moment : Moment.values()) {
                        // The bell does not wake a thread in a futex. The peer wakes it at its word.
                        if (event.mattersTo(role) && (event != Event.RING || way == Way.PARKED)) {
                            cases.add(new Case(role, way, event, moment));
                        }
                    }
                }
            }
        }
        return cases;
    }

    /**
     * The event comes in the thread's first sleep, or on its way to the second one. TCP is watched then, and the look at TCP that comes
     * before the first sleep is over.
     */
    @ParameterizedTest
    @MethodSource("cases")
    void anEventIsNeverLost(Case one) throws Exception {
        Sleeping sleeping = asleep(one.role, one.way);
        if (one.moment == Moment.ASLEEP) {
            sleeping.cause(one.event);
        } else {
            sleeping.event = one.event;
            sleeping.moment = one.moment;
            sleepers.peerHasGone(); // wakes the thread, which finds that nothing is over, and sleeps again
        }
        assertIsTold(one.event, sleeping);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void bytesAndAnEndWakeOnlyTheReader(Way way) throws Exception {
        Sleeping writer = asleep(Sleepers.WRITER, way);
        for (Event event : new Event[] {Event.BYTES, Event.END}) {
            Sleeping reader = asleep(Sleepers.READER, way);
            reader.cause(event);
            assertIsTold(event, reader);
            if (event == Event.BYTES) {
                assertEquals(1, Posix.receive(own, new byte[1]));
            }
        }
        assertEquals(1, writer.sleeps);
        writer.cause(Event.CLOSE);
        assertIsTold(Event.CLOSE, writer);
    }

    @ParameterizedTest
    @EnumSource(value = Event.class, names = {"RESET", "CLOSE", "PEER_GONE"})
    void anEventThatMattersToBothWakesBoth(Event event) throws Exception {
        Sleeping reader = asleep(Sleepers.READER, Way.PARKED);
        Sleeping writer = asleep(Sleepers.WRITER, Way.PARKED);
        reader.over = event.onTcp == 0;
        writer.cause(event);
        assertIsTold(event, writer);
        assertIsTold(event, reader);
    }
}
