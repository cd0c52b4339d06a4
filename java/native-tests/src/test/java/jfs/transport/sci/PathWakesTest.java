package jfs.transport.sci;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jfs.nativelib.Posix;
import jfs.spi.FastPath;
import jfs.spi.TcpDescriptor;
import jfs.spi.Transport;
import jfs.testing.Natives;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What wakes the two directions of a path. A callback waits in each of them: it is told what a thread that parks would be told. Platform
 * threads sleep in a futex, and would not miss the bell. Both ends are in this process.
 */
class PathWakesTest {

    private static final int VERSION = 3;
    private static final int WINDOW = 1 << 16;

    private FastPath near;
    private FastPath far;
    private final CountDownLatch readerTold = new CountDownLatch(1);
    private final CountDownLatch writerTold = new CountDownLatch(1);
    /** In place of a TCP socket. An event of it is to be told to a reader. */
    private final int event = Posix.eventCreate();
    private final TcpDescriptor tcp = new TcpDescriptor() {
        @Override
        public int acquire() {
            return event;
        }

        @Override
        public void release() {
        }

        @Override
        public boolean hasEvent() {
            return false;
        }
    };

    @BeforeAll
    static void loadNatives() {
        Natives.load();
    }

    @BeforeEach
    void connect() throws Exception {
        SciTransport transport = new SciTransport(new SciTransport.Sizes(WINDOW, WINDOW, 8_192, 0), 1 << 30);
        ByteBuffer description = ByteBuffer.allocate(64);
        Transport.Offer offer = transport.offer(VERSION, 42, "peer");
        offer.describe(description);
        Transport.Joined joined = transport.join(VERSION, description.flip(), 42);
        ByteBuffer answer = ByteBuffer.allocate(64);
        joined.answer(answer);
        near = offer.complete(answer.flip());
        far = joined.path();
        far.switchAt(0);
        near.switchAt(0);
        assertEquals(0, near.switchedAt());
        assertEquals(0, far.switchedAt());
    }

    @AfterEach
    void retire() {
        for (FastPath end : new FastPath[] {near, far}) {
            end.retireReceiver();
            end.retireSender();
        }
        Posix.close(event);
    }

    /** Both are watched for all that can happen: neither has to look by itself after some time. */
    private void armBoth() throws Exception {
        byte[] many = new byte[WINDOW];
        while (near.send(many, 0, many.length) > 0 || near.sendOrAwaitRoom(tcp, many, 0, many.length) > 0) {
            if (!near.writable()) {
                break;
            }
        }
        assertEquals(Long.MAX_VALUE, near.armReceiver(tcp, readerTold::countDown, null));
        assertEquals(Long.MAX_VALUE, near.armSender(tcp, writerTold::countDown, null));
    }

    private static void assertTold(CountDownLatch told) throws Exception {
        assertTrue(told.await(10, TimeUnit.SECONDS), "a direction was not told");
    }

    @Test
    void thePeersBytesAndRoomReachBothDirections() throws Exception {
        armBoth();
        far.send(new byte[1], 0, 1);
        assertTold(readerTold);
        byte[] many = new byte[WINDOW];
        while (far.receive(many, 0, many.length) > 0) {
            // makes room
        }
        assertTold(writerTold);
    }

    @Test
    void aCloseReachesBothDirections() throws Exception {
        armBoth();
        near.wake();
        assertTold(readerTold);
        assertTold(writerTold);
    }

    @Test
    void anEventOnTcpReachesTheReader() throws Exception {
        armBoth();
        Posix.eventSignal(event);
        assertTold(readerTold);
    }
}
