package jfs.ring;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jfs.memory.Shared;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** BELL-1 to BELL-3, one step after the other, in one thread. {@link BellOrder} tests what two cores may see. */
class BellWordTest {

    private final ByteBuffer memory = ByteBuffer.allocateDirect(2 * InboxLayout.PAGE).order(ByteOrder.nativeOrder());
    private final Inbox inbox = new Inbox(new Shared(memory, 0, memory.capacity()));
    private final BellWord owner = inbox.bell();
    private final BellWord peer = inbox.bell();

    @Test
    void oneRingIsEnoughUntilTheOwnerHasHeard() {
        owner.hush();
        assertTrue(peer.takeRing());
        assertFalse(peer.takeRing());
        owner.hush();
        assertTrue(peer.takeRing());
    }

    @Test
    void aRingThatFailedIsTakenAgain() {
        owner.hush();
        assertTrue(peer.takeRing());
        peer.giveRingBack();
        assertTrue(peer.takeRing());
    }

    /** The word is 0 if the owner has never stored anything. Only a hostile owner stores other values. */
    @ParameterizedTest
    @ValueSource(ints = {0, -1, 3, Integer.MIN_VALUE})
    void anyOtherValueIsRungAlways(int value) {
        memory.putInt(InboxLayout.BELL_RUNG, value);
        assertTrue(peer.takeRing());
        peer.giveRingBack();
        assertTrue(peer.takeRing());
    }

    /** The bell's word stays, because connections in other places of the region go on. */
    @Test
    void itStaysWhenThePlaceIsLeft() {
        owner.hush();
        peer.takeRing();
        inbox.clear();
        assertFalse(peer.takeRing());
        owner.hush();
        inbox.clear();
        assertTrue(peer.takeRing());
        assertFalse(peer.takeRing());
    }
}
