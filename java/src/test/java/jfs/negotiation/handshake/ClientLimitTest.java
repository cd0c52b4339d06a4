package jfs.negotiation.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/** A party that floods this process displaces only its own clients (NEG-5). */
class ClientLimitTest {

    private final ClientLimit<String> crowd = new ClientLimit<>(4);

    @Test
    void theLargestPartyGivesWay() {
        crowd.add(1, "honest");
        crowd.add(2, "first");
        crowd.add(2, "second");
        crowd.add(2, "third");
        assertNull(crowd.tooMany());
        crowd.add(2, "fourth");
        assertEquals("first", crowd.tooMany());
        crowd.remove(2, "first");
        assertNull(crowd.tooMany());
        crowd.add(3, "honest too");
        assertEquals("second", crowd.tooMany());
    }

    @Test
    void aClientThatHasLeftIsNotCounted() {
        for (int i = 0; i < 10; i++) {
            crowd.add(i, "one");
            crowd.remove(i, "one");
            crowd.remove(i, "one");
        }
        crowd.remove(7, "never here");
        for (int i = 0; i < 4; i++) {
            crowd.add(1, "member " + i);
        }
        assertNull(crowd.tooMany());
    }
}
