package jfs.mx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import jfs.testing.Await;
import jfs.testing.Natives;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that has no more memory for messages: its connections end with an error. */
@Timeout(120)
class MxMemoryTest {

    @TempDir
    private Path folder;

    @BeforeAll
    static void loadNatives() {
        Natives.assumeMx();
    }

    @Test
    void aConnectionEndsIfThereIsNoMemoryForItsMessage() throws Exception {
        assertEquals("OutOfMemoryError, Connection reset, 0 channels\n",
                OtherJvm.run(folder, Program.class, Map.of(), "-XX:MaxDirectMemorySize=4m"));
    }

    static final class Program {
        public static void main(String[] arguments) throws Exception {
            Natives.assumeMx();
            MxEndpoint near = MxEndpoint.open(4_096);
            MxEndpoint far = MxEndpoint.open(4_096);
            MxChannel asking = near.newChannel(1);
            MxChannel closing = near.newChannel(2);
            for (MxChannel channel : List.of(asking, closing)) {
                MxChannel peer = far.newChannel(channel == asking ? 1 : 2);
                channel.connect(peer.description());
                peer.connect(channel.description());
                Await.until("greeted", channel::greeted);
            }
            Await.until("only receives", () -> near.buffersInUse() == MxEndpoint.RECEIVES);
            List<MessageBuffer> all = new ArrayList<>();
            try {
                for (;;) {
                    all.add(near.buffers().take());
                }
            } catch (OutOfMemoryError e) { // one that a write throws concerns that write only
                System.out.print(e.getClass().getSimpleName());
            }
            asking.askWhetherEnded();
            System.out.print(", " + asking.failure().getMessage());
            asking.abandon();
            closing.abandon();
            Await.until("forgotten", () -> near.channels() == 0);
            System.out.print(", " + near.channels() + " channels\n");
        }
    }

    /** Throws an OutOfMemoryError so many times when it gets news, as if the heap were full. */
    private static final class Starved implements MxChannel.Listener {
        private final AtomicInteger left;
        private volatile boolean told;

        Starved(int times) {
            left = new AtomicInteger(times);
        }

        @Override
        public void readerNews() {
            if (left.getAndDecrement() > 0) {
                throw new OutOfMemoryError("as if");
            }
            told = true;
        }

        @Override
        public void writerNews() {
        }
    }

    private interface Ends {
        void of(MxChannel near, MxChannel far) throws Exception;
    }

    private static void between(Ends test) throws Exception {
        MxEndpoint near = MxEndpoint.open(4_096);
        MxEndpoint far = MxEndpoint.open(4_096);
        try {
            MxChannel reading = near.newChannel(1);
            MxChannel writing = far.newChannel(1);
            reading.connect(writing.description());
            writing.connect(reading.description());
            Await.until("greeted", () -> reading.greeted() && writing.greeted());
            test.of(reading, writing);
        } finally {
            far.close();
            near.close();
        }
    }

    /** If there is no memory to take a message in its connection ends. A sleeping thread is told as soon as there is memory. */
    @Test
    void aListenerThatRanOutOfMemoryIsToldAgain() throws Exception {
        between((reading, writing) -> {
            Starved reader = new Starved(4);
            reading.listener(reader);
            writing.switchAt(0);
            writing.send(new byte[] {1}, 0, 1);
            Await.until("told", () -> reader.told);
            assertEquals(MxChannel.NO_MEMORY, reading.whyFailed());
        });
    }

    /** There is no memory either to find out to which connection the message belongs. */
    @Test
    void allChannelsFailIfAMessageCanNotBeAssigned() throws Exception {
        between((one, other) -> {
            Channels all = new Channels(0);
            all.add(number -> one);
            all.add(number -> other);
            Starved reader = new Starved(2);
            other.listener(reader);
            all.failForWantOfMemory(null);
            assertTrue(all.needLooks());
            all.tellOfWant();
            all.tellOfWant();
            assertFalse(all.needLooks());
            assertTrue(one.failed() && other.failed() && reader.told);
        });
    }
}
