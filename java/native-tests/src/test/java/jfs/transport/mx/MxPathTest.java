package jfs.transport.mx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import jfs.mx.MxChannel;
import jfs.mx.MxEndpoint;
import jfs.spi.FastPath;
import jfs.spi.TcpDescriptor;
import jfs.testing.Await;
import jfs.testing.Background;
import jfs.testing.Effort;
import jfs.testing.Natives;
import jfs.testing.VirtualThreads;
import jfs.wait.Deadline;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One end of a connection over MX, as its socket uses it. These tests are here because they need the natives. */
@Timeout(120)
class MxPathTest {

    private static final int LARGE = 3_000_000;

    private MxEnds ends;

    @BeforeAll
    static void findNatives() {
        Natives.assumeMx();
    }

    @BeforeEach
    void open() throws Exception {
        ends = new MxEnds();
    }

    @AfterEach
    void close() throws Exception {
        ends.close();
    }

    private static byte[] bytes(int length, int seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @Test
    void theSwitchIsToldWithTheFirstBytes() throws Exception {
        try (MxEnds.Connection it = ends.new Connection()) {
            assertFalse(it.near.path.peerReady());
            it.far.path.ready();
            Await.until("ready", it.near.path::peerReady);
            it.near.path.switchAt(123);
            assertEquals(-1, it.far.path.switchedAt());
            it.near.write(bytes(10, 1));
            assertArrayEquals(bytes(10, 1), it.far.read(10));
            assertEquals(123, it.far.path.switchedAt());
            assertEquals(-1, it.near.path.switchedAt());
        }
        ends.assertNothingLeft();
    }

    @Test
    void bytesOfAllLengthsBothWays() throws Exception {
        try (MxEnds.Connection it = ends.new Connection().switched()) {
            for (int length : new int[] {1, 7, 100, 32_767, 32_768, 32_769, 100_000, LARGE}) {
                Background<byte[]> there = Background.call(() -> it.far.read(length));
                it.near.write(bytes(length, length));
                assertArrayEquals(bytes(length, length), there.result());
                Background<byte[]> back = Background.call(() -> it.near.read(length));
                it.far.write(bytes(length, -length));
                assertArrayEquals(bytes(length, -length), back.result());
            }
            assertEquals(5, it.far.path.switchedAt());
        }
        ends.assertNothingLeft();
    }

    /** Like two programs that each write before they read (SWITCH-3). */
    @Test
    void threeMegabytesBothWaysUnread() throws Exception {
        try (MxEnds.Connection it = ends.new Connection().switched()) {
            assertEquals(LARGE, it.near.writeUnread(bytes(LARGE, 1)));
            assertEquals(LARGE, it.far.writeUnread(bytes(LARGE, 2)));
            assertArrayEquals(bytes(LARGE, 1), it.far.read(LARGE));
            assertArrayEquals(bytes(LARGE, 2), it.near.read(LARGE));
        }
        ends.assertNothingLeft();
    }

    @Test
    void theWindowEndsAndOpensAgain() throws Exception {
        try (MxEnds.Connection it = ends.new Connection().switched()) {
            byte[] much = bytes(MxChannel.WINDOW + 1_000_000, 3);
            assertEquals(MxChannel.WINDOW, it.near.writeUnread(much));
            Background<Void> writer = Background.run(() -> it.near.write(bytes(1_000_000, 4))).blocked();
            byte[] read = it.far.read(MxChannel.WINDOW);
            for (int i = 0; i < read.length; i++) {
                assertEquals(much[i], read[i]);
            }
            assertArrayEquals(bytes(1_000_000, 4), it.far.read(1_000_000));
            writer.result();
        }
        ends.assertNothingLeft();
    }

    /** Otherwise a program that writes single bytes to a peer that doesn't read would need a buffer for each byte. */
    @Test
    void unreadSingleBytesGather() throws Exception {
        try (MxEnds.Connection it = ends.new Connection().switched()) {
            byte[] all = bytes(20_000, 5);
            for (byte b : all) {
                assertEquals(1, it.near.path.send(new byte[] {b}, 0, 1));
            }
            Await.until("all are there", () -> it.far.path.available() == all.length);
            assertTrue(ends.far.buffersInUse() <= MxEndpoint.RECEIVES + 3, () -> ends.far.buffersInUse() + " buffers");
            assertArrayEquals(all, it.far.read(all.length));
        }
        ends.assertNothingLeft();
    }

    @Test
    void aHalfIsClosedAfterItsLastByte() throws Exception {
        try (MxEnds.Connection it = ends.new Connection().switched()) {
            it.near.write(bytes(50_000, 6));
            it.near.path.finish(false);
            assertArrayEquals(bytes(50_000, 6), it.far.read(50_000));
            assertEquals(FastPath.END, it.far.read(new byte[1], 0));
            it.far.write(bytes(50_000, 7));
            assertArrayEquals(bytes(50_000, 7), it.near.read(50_000));
            assertFalse(it.far.path.peerReset());
        }
        ends.assertNothingLeft();
    }

    @Test
    void aResetIsToldAfterTheLastByte() throws Exception {
        try (MxEnds.Connection it = ends.new Connection().switched()) {
            it.near.write(bytes(10, 8));
            it.near.path.finish(true);
            assertArrayEquals(bytes(10, 8), it.far.read(10));
            assertEquals(FastPath.RESET, it.far.read(new byte[1], 0));
            assertTrue(it.far.path.peerReset());
        }
        ends.assertNothingLeft();
    }

    @Test
    void aWriterHearsThatNobodyReads() throws Exception {
        try (MxEnds.Connection it = ends.new Connection().switched()) {
            it.near.writeUnread(bytes(MxChannel.WINDOW, 9));
            Background<Void> writer = Background.run(() -> {
                while (!it.near.path.peerGone()) {
                    assertEquals(0, it.near.path.sendOrAwaitRoom(it.near, new byte[1], 0, 1));
                }
            }).blocked();
            it.far.path.closeReceiver();
            writer.result();
        }
        ends.assertNothingLeft();
    }

    @Test
    void urgentBytesAreWantedInPlaceOrNot() throws Exception {
        try (MxEnds.Connection it = ends.new Connection().switched()) {
            assertFalse(it.near.path.peerTakesUrgent());
            it.far.path.takeUrgent(true);
            Await.until("wanted", it.near.path::peerTakesUrgent);
            it.far.path.takeUrgent(false);
            Await.until("not wanted", () -> !it.near.path.peerTakesUrgent());
            assertTrue(it.near.path.peerReady());
        }
    }

    @Test
    void aSleepingReaderWakesForBytesAndForWake() throws Exception {
        try (MxEnds.Connection it = ends.new Connection().switched()) {
            Background<byte[]> reader = Background.call(() -> it.far.read(1)).blocked();
            it.near.write(new byte[] {42});
            assertArrayEquals(new byte[] {42}, reader.result());
            Background<Integer> other = Background.call(() -> it.far.path.awaitData(it.far, 0)).blocked();
            it.far.path.wake();
            assertEquals(0, other.result());
        }
    }

    @Test
    void aReadHasItsDeadline() throws Exception {
        try (MxEnds.Connection it = ends.new Connection().switched()) {
            long deadline = Deadline.in(20);
            while (!Deadline.hasPassed(deadline)) {
                assertEquals(0, it.far.path.awaitData(it.far, deadline));
            }
            assertEquals(0, it.far.path.receive(new byte[1], 0, 1));
        }
    }

    /** Bytes that were sent before TCP's end may come after it (END-5). */
    @Test
    void tcpsEndIsNoEndBeforeTheStreams() throws Exception {
        try (MxEnds.Connection it = ends.new Connection().switched()) {
            it.near.write(new byte[] {1});
            assertArrayEquals(new byte[] {1}, it.far.read(1));
            Background<Boolean> late = Background.call(() -> it.far.path.awaitEnd(0)).blocked();
            it.near.path.finish(false);
            assertTrue(late.result());
            assertEquals(FastPath.END, it.far.read(new byte[1], 0));
        }
    }

    /** The stream's end may come seconds later: the peer may be collecting garbage. */
    @Test
    void tcpsEndSecondsBeforeTheStreamsIsNoReset() throws Exception {
        try (MxEnds.Connection it = ends.new Connection().switched()) {
            it.near.write(new byte[] {1});
            assertArrayEquals(new byte[] {1}, it.far.read(1));
            it.near.closeTcp();
            assertEquals(FastPath.TCP_EVENT, it.far.path.awaitData(it.far, 0));
            assertFalse(it.far.path.awaitEnd(Deadline.in(2_000)), "it waits no longer than it should");
            it.near.path.finish(false);
            assertTrue(it.far.path.awaitEnd(0));
            assertEquals(FastPath.END, it.far.read(new byte[1], 0));
        }
    }

    @Test
    void tcpsEndWithoutTheStreamsIsAReset() throws Exception {
        try (MxEnds.Connection it = ends.new Connection().switched()) {
            it.near.write(new byte[] {1});
            assertArrayEquals(new byte[] {1}, it.far.read(1));
            it.near.closeTcp();
            assertEquals(FastPath.TCP_EVENT, it.far.path.awaitData(it.far, 0));
            assertFalse(it.far.path.awaitEnd(Deadline.in(1)));
            SocketException reset = assertThrows(SocketException.class, () -> it.far.path.awaitEnd(0));
            assertEquals("Connection reset", reset.getMessage());
        }
    }

    /** The kernel reports a reset once. The reader learns of it from the writer, and does not wait ten seconds for an answer. */
    @Test
    void aResetThatAWriterWasToldOfIsTheReadersToo() throws Exception {
        try (MxEnds.Connection it = ends.new Connection().switched()) {
            it.far.writeUnread(new byte[MxChannel.WINDOW + 1]);
            it.near.closeTcp();
            assertEquals(0, it.far.path.sendOrAwaitRoom(it.far, new byte[1], 0, 1));
            assertTrue(it.far.path.peerGone());
            long start = System.nanoTime();
            SocketException reset = assertThrows(SocketException.class, () -> it.far.path.awaitEnd(0));
            assertEquals("Connection reset", reset.getMessage());
            assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(5));
        }
    }

    /** The peer's output was shut down before it could switch. Only TCP tells of that. */
    @Test
    void tcpsEndIsTheStreamsIfThatNeverSwitched() throws Exception {
        try (MxEnds.Connection it = ends.new Connection()) {
            it.far.path.ready();
            assertTrue(it.far.path.awaitEnd(0));
            assertEquals(-1, it.far.path.switchedAt());
        }
        ends.assertNothingLeft();
    }

    @Test
    void aDeadPeerIsAResetForReaderAndWriter() throws Exception {
        try (MxEnds.Connection it = ends.new Connection().switched()) {
            it.far.write(new byte[1]);
            it.near.read(1);
            Background<Void> writer = Background.run(() -> {
                for (;;) {
                    it.near.write(new byte[1_000]);
                }
            }).blocked();
            ends.killFar();
            it.near.path.takeUrgent(true); // sends a message, by which the library notices the death
            SocketException written = assertThrows(SocketException.class, writer::result);
            assertEquals("Connection reset by peer", written.getMessage());
            SocketException read = assertThrows(SocketException.class, () -> it.near.read(new byte[1], 0));
            assertEquals("Connection reset", read.getMessage());
        }
    }

    /**
     * Bytes that can't be received any more may have been sent. A reader that waits for them gets an error, after the bytes
     * on TCP.
     */
    @Test
    void aFailureBeforeTheSwitchEndsTheReadersWait() throws Exception {
        try (MxEnds.Connection it = ends.new Connection()) {
            it.far.path.ready();
            Await.until("ready", it.near.path::peerReady);
            Background<Void> reader = Background.run(() -> {
                for (;;) {
                    assertEquals(0, it.far.path.awaitData(it.far, 0));
                }
            }).blocked();
            ends.killFar(); // messages under way to it are lost
            it.near.path.switchAt(0);
            SocketException reset = assertThrows(SocketException.class, reader::result);
            assertEquals("Connection reset", reset.getMessage());
            assertTrue(it.far.path.isBroken());
            it.near.writeTcp(42);
            assertEquals(FastPath.TCP_EVENT, it.far.path.awaitData(it.far, 0));
        }
    }

    /** However late the reader gets a processor, it sees the bytes that have come over TCP before it sees the silence. */
    @Test
    void aFailureDoesNotEndAReaderThatHasBytesOverTcp() throws Exception {
        try (MxEnds.Connection it = ends.new Connection()) {
            it.far.path.ready();
            Await.until("ready", it.near.path::peerReady);
            ends.killFar();
            long begun = System.nanoTime();
            AtomicInteger looks = new AtomicInteger();
            TcpDescriptor late = new TcpDescriptor() {
                @Override
                public int acquire() {
                    if (looks.getAndIncrement() > 0) {
                        return it.far.acquire();
                    }
                    it.near.writeTcp(42);
                    while (System.nanoTime() - begun < TimeUnit.MILLISECONDS.toNanos(1_500)) { // longer than the silence
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                    }
                    return -1; // no descriptor to wait at, so the wait is over
                }

                @Override
                public void release() {
                }

                @Override
                public boolean hasEvent() {
                    return it.far.hasEvent();
                }
            };
            assertEquals(FastPath.TCP_EVENT, it.far.path.awaitData(late, 0));
        }
    }

    /** A peer that never had its end of the path stays on TCP. So does its reader, whatever happens to MX. */
    @Test
    void aFailureDoesNotEndAReaderWhosePeerHasNoPath() throws Exception {
        try (MxEnds.Connection it = ends.new Connection(17, 17, false)) {
            it.far.path.ready();
            ends.killFar();
            long deadline = Deadline.in(1_500); // longer than a wait for a peer that may have switched
            while (!Deadline.hasPassed(deadline)) {
                assertEquals(0, it.far.path.awaitData(it.far, deadline));
            }
            assertFalse(it.far.path.isBroken());
            it.near.writeTcp(42);
            assertEquals(FastPath.TCP_EVENT, it.far.path.awaitData(it.far, 0));
            it.near.closeTcp();
            assertTrue(it.far.path.awaitEnd(0));
        }
    }

    /** The same holds for a reader that could not even say that it is ready: its peer won't switch. */
    @Test
    void aFailureBeforeItIsReadyDoesNotEndAReader() throws Exception {
        try (MxEnds.Connection it = ends.new Connection()) {
            Await.until("greeted", () -> it.far.path.awaitEnd(Deadline.in(1)));
            ends.killFar();
            it.far.path.ready();
            assertFalse(it.far.path.isBroken());
            assertTrue(it.far.path.awaitEnd(0));
        }
    }

    /** The stream goes on over TCP. */
    @Test
    void noWriterSwitchesToAFailedPath() throws Exception {
        try (MxEnds.Connection it = ends.new Connection()) {
            it.near.path.ready();
            Await.until("ready", it.far.path::peerReady);
            ends.killFar();
            assertFalse(it.far.path.peerReady());
        }
    }

    @Test
    void anotherNonceIsAViolation() throws Exception {
        try (MxEnds.Connection it = ends.new Connection(17, 18)) {
            it.near.path.ready();
            it.near.path.switchAt(0);
            Await.until("noticed", () -> {
                try {
                    it.near.path.send(new byte[1], 0, 1);
                    return false;
                } catch (SocketException e) {
                    assertEquals("The peer broke the protocol of MX messages: another nonce", e.getMessage());
                    return true;
                }
            });
        }
    }

    /** The closing end is done at once. What was written is delivered all the same (END-5). */
    @Test
    void whatWasWrittenBeforeCloseArrives() throws Exception {
        try (MxEnds.Connection it = ends.new Connection().switched()) {
            it.near.writeUnread(bytes(LARGE, 10));
            it.near.close();
            assertArrayEquals(bytes(LARGE, 10), it.far.read(LARGE));
            assertEquals(FastPath.END, it.far.read(new byte[1], 0));
        }
        ends.assertNothingLeft();
    }

    @Test
    void virtualThreadsSleepWithoutTheirCarriers() throws Exception {
        VirtualThreads.assume();
        List<MxEnds.Connection> all = new ArrayList<>();
        List<Background<byte[]>> readers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            MxEnds.Connection it = ends.new Connection().switched();
            all.add(it);
            readers.add(Background.call(() -> it.far.read(1), VirtualThreads.factory()));
        }
        for (int i = 49; i >= 0; i--) {
            all.get(i).near.write(new byte[] {(byte) i});
        }
        for (int i = 0; i < 50; i++) {
            assertArrayEquals(new byte[] {(byte) i}, readers.get(i).result());
            all.get(i).close();
        }
        ends.assertNothingLeft();
    }

    @Test
    void nothingIsLeftOfThousandsOfConnections() throws Exception {
        for (int i = 0; i < Effort.of(1_000, 10_000); i++) {
            try (MxEnds.Connection it = ends.new Connection().switched()) {
                it.near.write(bytes(100, i));
                it.far.write(bytes(100, -i));
                if (i % 2 == 0) { // the others are closed with unread bytes
                    assertArrayEquals(bytes(100, i), it.far.read(100));
                    assertArrayEquals(bytes(100, -i), it.near.read(100));
                }
            }
        }
        ends.assertNothingLeft();
    }
}
