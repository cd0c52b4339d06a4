package jfs.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Urgent bytes: a part of the stream with SO_OOBINLINE, nowhere without. */
class UrgentDataTest {

    private static void sendWithUrgent(Start.Ends ends) throws Exception {
        ends.out().write("ab".getBytes());
        ends.near().sendUrgentData('C');
        ends.out().write("de".getBytes());
    }

    private static void expect(Start.Ends ends, String text) throws Exception {
        assertEquals(text, new String(ends.farIn().readNBytes(text.length())));
    }

    @Start.AtEach
    void droppedByDefault(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            sendWithUrgent(ends);
            expect(ends, "abde");
            ends.near().shutdownOutput();
            assertEquals(-1, ends.farIn().read());
        }
    }

    @Start.AtEach
    void inPlaceIfWanted(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.far().setOOBInline(true);
            sendWithUrgent(ends);
            expect(ends, "abCde");
            ends.far().setOOBInline(false);
            sendWithUrgent(ends);
            expect(ends, "abde");
        }
    }

    @Start.AtEach
    void wantedBeforeTheConversation(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.far().setOOBInline(true);
            for (int i = 0; i < 20; i++) {
                ends.pair().pingPong();
            }
            sendWithUrgent(ends);
            expect(ends, "abCde");
        }
    }

    /** After an urgent byte counts of stream bytes are doubtful; the conversation is not. */
    @Start.AtEach
    void theConversationGoesOn(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.near().sendUrgentData('!');
            for (int i = 0; i < 50; i++) {
                ends.pair().pingPong();
            }
            byte[] bytes = Bytes.of(1, 0, 100_000);
            Background<Void> writer = Background.run(() -> ends.out().write(bytes));
            assertArrayEquals(bytes, ends.farIn().readNBytes(bytes.length));
            writer.result();
        }
    }

    /** It waits for its turn, and for room. */
    @Start.AtEach
    void whenThereIsNoRoom(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.far().setOOBInline(true);
            int length = 16 << 20;
            Background<Void> writer = Background.run(() -> ends.out().write(Bytes.of(2, 0, length))).blocked();
            Background<Void> urgent = Background.run(() -> ends.near().sendUrgentData('!')).blocked();
            Bytes.expect(ends.farIn(), 2, 0, length);
            assertEquals('!', ends.farIn().read());
            writer.result();
            urgent.result();
        }
    }

    /** Over TCP: an urgent byte takes as much of its buffers as a packet. */
    @Test
    void whenUrgentBytesHaveTakenAllRoom() throws Exception {
        try (Pair pair = Pair.fresh()) {
            pair.server.setOOBInline(true);
            AtomicBoolean enough = new AtomicBoolean();
            AtomicInteger sent = new AtomicInteger();
            Background<Void> sender = Background.run(() -> {
                while (!enough.get()) {
                    pair.client.sendUrgentData('!');
                    sent.incrementAndGet();
                }
                pair.client.shutdownOutput();
            });
            for (int before = -1; before != sent.get();) { // it may have been on its way through
                before = sent.get();
                sender.blocked();
            }
            enough.set(true);
            int received = pair.server.getInputStream().readAllBytes().length;
            sender.result();
            assertEquals(sent.get(), received);
        }
    }
}
