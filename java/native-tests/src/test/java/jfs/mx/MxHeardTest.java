package jfs.mx;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import jfs.testing.Await;
import jfs.testing.Natives;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a writer that has just heard of its peer still has to look for the peer's close (END-1). The clock of the endpoint stands still. */
@Timeout(120)
class MxHeardTest {

    private MxEndpoint ours;
    private MxEndpoint theirs;
    private MxChannel channel;
    private MxChannel peers;

    @BeforeAll
    static void loadNatives() {
        Natives.assumeMx();
    }

    @BeforeEach
    void open() throws Exception {
        ours = MxEndpoint.open(4_096, () -> 0);
        theirs = MxEndpoint.open(4_096);
        channel = ours.newChannel(1);
        peers = theirs.newChannel(1);
        connect(channel, peers);
        Await.until("the peer was heard just now", () -> channel.heardWithin(1));
    }

    @AfterEach
    void close() throws Exception {
        theirs.close();
        ours.close();
    }

    private static void connect(MxChannel one, MxChannel other) throws Exception {
        one.connect(other.description());
        other.connect(one.description());
        Await.until("both have greeted", () -> one.greeted() && other.greeted());
    }

    /** The peer's close is a message behind the end of its stream. */
    @Test
    void theEndOfTheStreamIsNotTheLastMessage() throws Exception {
        peers.finish(false);
        Await.until("the stream has ended", channel::ended);
        assertFalse(channel.heardWithin(1));
    }

    /** A look finds several messages, and hands them on one after the other. */
    @Test
    void aThreadMayHaveFoundMessagesThatItHasNotHandedOn() throws Exception {
        MxChannel other = ours.newChannel(2);
        MxChannel others = theirs.newChannel(2);
        connect(other, others);
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        other.listener(new MxChannel.Listener() {
            @Override
            public void readerNews() {
                held.countDown();
                try {
                    released.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }

            @Override
            public void writerNews() {
                readerNews();
            }
        });
        try {
            others.tellReceiver(false, true, false);
            held.await();
            assertFalse(channel.heardWithin(1));
        } finally {
            released.countDown();
        }
        Await.until("the look is over", () -> channel.heardWithin(1));
        assertTrue(other.greeted());
    }
}
