package jfs.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a connection is worth an offer (NEG-4), and when a read on TCP is worth polling for. */
class ConversationTest {

    private final Conversation conversation = new Conversation();

    @Test
    void theReadAfterAWriteIsForAnAnswer() {
        assertFalse(conversation.takeAnswerDue(), "nothing was asked");
        conversation.sent(1);
        assertTrue(conversation.takeAnswerDue(), "in the first exchange, which may be the only one, as in any other");
        assertFalse(conversation.takeAnswerDue(), "the second read after a write is for no answer");
        conversation.received(1);
        conversation.sent(1);
        assertTrue(conversation.takeAnswerDue());
    }

    @Test
    void theReadOfTheEndThatAnswersIsForTheNextRequestOrTheEnd() {
        conversation.received(1);
        assertFalse(conversation.takeAnswerDue());
        conversation.sent(1);
        assertTrue(conversation.takeAnswerDue());
    }

    @Test
    void anOfferIsDueAtTheSecondRequest() {
        conversation.beginCounting(1, 1);
        assertFalse(conversation.sent(1));
        assertFalse(conversation.received(1));
        assertTrue(conversation.sent(1));
    }

    @Test
    void anOfferIsDueAfterAStreamEitherWay() {
        conversation.beginCounting(1, 1);
        int bytes = 0;
        while (!conversation.received(1 << 10)) {
            bytes += 1 << 10;
        }
        assertEquals(31 << 10, bytes); // each call counts as a kilobyte more
    }

    /** The calls of such a stream cost more over TCP than its bytes do. */
    @Test
    void anOfferIsDueAfterAStreamOfSmallWrites() {
        conversation.beginCounting(1, 1);
        int writes = 1;
        while (!conversation.sent(1)) {
            writes++;
        }
        assertEquals(64, writes);
    }

    @ParameterizedTest
    @CsvSource({"1, 65536", "2, 65536", "3, 98304", "100, 3276800", "1000000000, 32768000000000"})
    void aLongStreamIsOfferedWhenItHasCostAsMuchAsTheTurnarounds(int turnarounds, long bytes) {
        Conversation stream = new Conversation();
        stream.beginCounting(Integer.MAX_VALUE, turnarounds);
        int piece = 1 << 30;
        long left = bytes - 1 - 2048;
        for (; left > piece; left -= piece + 1024) {
            assertFalse(stream.received(piece));
        }
        assertFalse(stream.received((int) left));
        assertTrue(stream.received(1024));
    }

    @Test
    void noOfferIsDueAfterTheEndOfAsking() {
        assertFalse(conversation.sent(1 << 20));
        conversation.endCounting();
        assertFalse(conversation.received(1 << 20));
    }
}
