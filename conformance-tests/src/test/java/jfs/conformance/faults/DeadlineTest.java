package jfs.conformance.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Children;
import jfs.conformance.harness.processes.Commands;
import jfs.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A thread may get a processor only after its deadline has passed. As with the JDK's sockets it then takes what has arrived
 * meanwhile. If nothing has arrived it reports that the socket was closed, and only if that is not so its time-out.
 */
class DeadlineTest extends Children {

    private static final int MILLIS = 200;
    /** For a call that has to be waiting before another thread begins to close. */
    private static final int LONG_MILLIS = 2_000;

    private static final String BYTE = "read 1 1";
    private static final String TO_THE_END = "readToEnd 1";
    private static final String CLOSED = "java.net.SocketException: Socket closed";

    private Child near;
    private Child far;

    private void start(Way way) throws Exception {
        way.assume();
        near = start(way.start().with(Duel.HOOKED));
        far = start(way.start());
        connect(far, near);
    }

    private void startFast(Way way) throws Exception {
        start(way);
        converse(far, near);
    }

    /** The near end will watch TCP and the path. The far end switches with its next byte. */
    private void startAttached(Way way) throws Exception {
        start(way);
        Child.Order follow = near.begin("follow");
        far.ask("lead 2");
        follow.isDone();
        Await.until("both have their paths", () -> far.ask("attached") + near.ask("attached") == 2);
        assertEquals(0, near.ask("step SWITCH_COMPLETED"));
    }

    private Child.Order arm(String step) {
        Child.Order trap = near.begin("arm " + step + " 1 STOP 0");
        near.begin("armed " + trap.number()).isDone();
        return trap;
    }

    /** An event that happens while the reader has no processor. */
    private interface News {
        void come() throws Exception;
    }

    /**
     * @return the result of a read whose thread has slept and goes on only when the event has happened and the deadline has
     *     passed
     */
    private String lateRead(String read, News news) throws Exception {
        near.begin("timeout " + MILLIS).isDone();
        Child.Order awake = arm("READER_AWAKE");
        Child.Order reading = near.begin(read);
        awake.result();
        news.come();
        awaitPassed(System.nanoTime(), MILLIS);
        near.begin("release").isDone();
        return reading.result();
    }

    private static void awaitPassed(long begun, int millis) throws Exception {
        Await.until("the deadline has passed",
                () -> System.nanoTime() - begun > TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** An action of the far end. Over messages it has happened when the near end's process has the message. */
    private News byFar(Way way, String order) {
        return () -> {
            long before = near.ask("step MESSAGE_RECEIVED");
            far.begin(order).isDone();
            if (way == Way.MX) {
                Await.until("its message has come", () -> near.ask("step MESSAGE_RECEIVED") > before);
            }
        };
    }

    private News byNear(String order) {
        return () -> near.begin(order).isDone();
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void bytesAndTheEndComeBeforeTheClock(Way way) throws Exception {
        startFast(way);
        assertEquals("done", lateRead(BYTE, byFar(way, "write 1 1")));
        assertEquals("java.net.SocketTimeoutException: Read timed out", lateRead(BYTE, () -> { }));
        assertEquals("0", lateRead(TO_THE_END, byFar(way, "shutdownOutput")));
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void aResetComesBeforeTheClock(Way way) throws Exception {
        startFast(way);
        assertEquals("java.net.SocketException: Connection reset", lateRead(BYTE, byFar(way, "reset")));
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void theFirstBytesByThePathComeBeforeTheClock(Way way) throws Exception {
        startAttached(way);
        assertEquals("done", lateRead(BYTE, byFar(way, "write 1 1")));
        assertEquals(1, near.ask("step SWITCH_COMPLETED"));
    }

    /** Not between hosts: there the end of TCP's stream is no end before the peer has been asked (END-5). */
    @Test
    void tcpsEndComesBeforeTheClock() throws Exception {
        startAttached(Way.SCI);
        assertEquals("0", lateRead(TO_THE_END, byFar(Way.SCI, "shutdownOutput")));
    }

    @Test
    void aDeathComesBeforeTheClock() throws Exception {
        startFast(Way.SCI);
        assertEquals("0", lateRead(TO_THE_END, () -> {
            far.kill();
            far.awaitEnd();
        }));
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void shutdownInputComesBeforeTheClock(Way way) throws Exception {
        startFast(way);
        assertEquals("0", lateRead(TO_THE_END, byNear("shutdownInput")));
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void aCloseComesBeforeTheClock(Way way) throws Exception {
        startFast(way);
        assertEquals(CLOSED, lateRead(BYTE, byNear("close")));
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void aCloseBeforeTheSwitchComesBeforeTheClock(Way way) throws Exception {
        startAttached(way);
        assertEquals(CLOSED, lateRead(BYTE, byNear("close")));
    }

    /** The thread whose turn it is has no processor. */
    @Test
    void aCloseComesBeforeTheClockToWhoWaitsForTheTurn() throws Exception {
        startFast(Way.SCI);
        String second = lateRead(BYTE, () -> {
            Child.Order waiting = near.begin(BYTE).blocked();
            near.begin("close").isDone();
            assertEquals(CLOSED, waiting.result());
        });
        assertEquals(CLOSED, second);
    }

    /** For the program the socket is closed as soon as close has been called, however long the close takes. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCloseThatTakesItsTimeComesBeforeTheClockToAReader(boolean fast) throws Exception {
        start(Way.SCI);
        if (fast) {
            converse(far, near);
        }
        near.begin("timeout " + LONG_MILLIS).isDone();
        assertClosed(BYTE, "close");
    }

    @Test
    void aCloseThatTakesItsTimeComesBeforeTheClockToWhoAccepts() throws Exception {
        near = start(Child.jfs().with(Duel.HOOKED));
        near.ask("listen 127.0.0.1 0");
        assertClosed("acceptWithin " + LONG_MILLIS, "closeListener");
    }

    @Test
    void aCloseThatTakesItsTimeComesBeforeTheClockToWhoConnects() throws Exception {
        near = start(Child.jfs().with(Duel.HOOKED));
        List<SocketChannel> waiting = new ArrayList<>();
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            for (int i = 0; i < 10; i++) { // far more than its backlog, so it answers no connect any more
                SocketChannel channel = SocketChannel.open();
                waiting.add(channel);
                channel.configureBlocking(false);
                channel.connect(full.getLocalSocketAddress());
            }
            int port = ((InetSocketAddress) full.getLocalSocketAddress()).getPort();
            assertClosed("connectWithin 127.0.0.1 " + port + " " + LONG_MILLIS, "close");
        } finally {
            for (SocketChannel channel : waiting) {
                channel.close();
            }
        }
    }

    /**
     * The close has begun. It goes on only when the call's deadline has passed. {@code java.net}'s connect then waits for
     * the close.
     */
    private void assertClosed(String call, String close) throws Exception {
        Child.Order closing = arm("CLOSING");
        Child.Order calling = near.begin(call).blocked();
        long begun = System.nanoTime();
        Child.Order closed = near.begin(close);
        closing.result();
        awaitPassed(begun, LONG_MILLIS);
        Await.until("its wait is over", () -> calling.stack().stream()
                .noneMatch(type -> type.startsWith("sun.nio.ch.") || type.startsWith("jfs.nativelib.")));
        near.begin("release").isDone();
        assertEquals(CLOSED, calling.result());
        closed.isDone();
    }

    /** The test can hold no step here, so it stops the whole process. It shows what the JDK's sockets do, and what JFS's do. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aByteComesBeforeTheClockToAProcessThatWasStopped(boolean jfs) throws Exception {
        near = start(jfs ? Child.jfs() : Child.plain());
        far = start(jfs ? Child.jfs() : Child.plain());
        connect(far, near);
        if (jfs) {
            converse(far, near);
        }
        near.begin("timeout " + LONG_MILLIS).isDone();
        Child.Order reading = near.begin(BYTE).blocked();
        long begun = System.nanoTime();
        Commands.stop(near);
        try {
            far.begin("write 1 1").isDone();
            awaitPassed(begun, LONG_MILLIS);
        } finally {
            Commands.goOn(near);
        }
        assertEquals("done", reading.result());
    }
}
