package jfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** When a connection is worth an offer (R4), and when a read on TCP is worth polling for. */
class ConversationTest {

    private final Conversation conversation = new Conversation(1);

    /** It may be the only one: connect, request, answer, close costs what it costs without JFS. */
    @Test
    void firstExchangeOfWhoAsksIsNoAnswerToPollFor() {
        conversation.sent(1);
        assertFalse(conversation.takeAnswerDue());
        conversation.received(1);
        conversation.sent(1);
        assertTrue(conversation.takeAnswerDue());
        assertFalse(conversation.takeAnswerDue(), "the second read after a write is for no answer");
    }

    @Test
    void firstExchangeOfWhoAnswersIsNoAnswerToPollFor() {
        conversation.received(1);
        assertFalse(conversation.takeAnswerDue());
        conversation.sent(1);
        assertFalse(conversation.takeAnswerDue(), "there may be no second request");
        conversation.received(1);
        conversation.sent(1);
        assertTrue(conversation.takeAnswerDue());
    }

    @Test
    void whoOnlyWritesHasNoAnswerDue() {
        for (int i = 0; i < 10; i++) {
            conversation.sent(1);
        }
        assertFalse(conversation.takeAnswerDue());
    }

    @Test
    void anOfferIsDueAtTheSecondRequest() {
        conversation.beginAsking();
        assertFalse(conversation.sent(1));
        assertFalse(conversation.received(1));
        assertTrue(conversation.sent(1));
    }

    @Test
    void anOfferIsDueAfter64KilobytesEitherWay() {
        conversation.beginAsking();
        int bytes = 0;
        while (!conversation.received(1 << 10)) {
            bytes += 1 << 10;
        }
        assertEquals(63 << 10, bytes);
    }

    @Test
    void nothingIsOfferedToWhomNobodyAsks() {
        assertFalse(conversation.sent(1 << 20));
        conversation.endAsking();
        assertFalse(conversation.received(1 << 20));
    }
}
