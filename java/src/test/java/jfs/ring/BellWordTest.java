package jfs.ring;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jfs.memory.Shared;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** BELL-1 to BELL-3, one step after the other. What two cores may see of them is {@link BellOrder}'s. */
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

    /** 0: of an owner that has never stored anything. Others are a hostile owner's. */
    @ParameterizedTest
    @ValueSource(ints = {0, -1, 3, Integer.MIN_VALUE})
    void anyOtherValueIsRungAlways(int value) {
        memory.putInt(InboxLayout.BELL_RUNG, value);
        assertTrue(peer.takeRing());
        peer.giveRingBack();
        assertTrue(peer.takeRing());
    }

    /** Connections in other places of the region go on. */
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
