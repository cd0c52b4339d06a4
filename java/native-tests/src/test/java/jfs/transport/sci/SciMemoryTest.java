package jfs.transport.sci;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import jfs.nativelib.Sisci;
import jfs.spi.FastPath;
import jfs.spi.Transport;
import jfs.testing.Natives;
import jfs.testing.Segments;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two ends of a path in this process. Their transport may keep only so much memory. */
class SciMemoryTest {

    private static final int WINDOW = 1 << 20;
    private static final int VERSION = 2;
    private static final long PLENTY = 1 << 30;

    /** What this sender and the other one may keep when the budget is used up: a lap, what follows it, and control words. */
    private static final long LEAST = 2 * MemoryBudget.LEAST;

    @BeforeAll
    static void loadNatives() {
        Natives.load();
        assertTrue(Sisci.sharesMemory(), "the shim's segments are memory");
    }

    /** Two ends. The second one has joined. */
    private static FastPath[] ends(long memoryMax, int version) throws Exception {
        SciTransport transport = new SciTransport(new SciTransport.Sizes(WINDOW, 4 << 20, 8192, 0), memoryMax);
        ByteBuffer description = ByteBuffer.allocate(64);
        Transport.Offer offer = transport.offer(version, 42, "peer");
        offer.describe(description);
        Transport.Joined joined = transport.join(version, description.flip(), 42);
        ByteBuffer answer = ByteBuffer.allocate(64);
        joined.answer(answer);
        return new FastPath[] {offer.complete(answer.flip()), joined.path()};
    }

    /** Transfers bytes as fast as this thread can. */
    private static void stream(FastPath from, FastPath to, int bytes) throws Exception {
        byte[] block = new byte[10_000];
        for (int moved = 0; moved < bytes; moved += block.length) {
            assertEquals(block.length, from.send(block, 0, block.length));
            for (int n = 0; n < block.length;) {
                n += to.receive(block, n, block.length - n);
            }
        }
    }

    private static void retire(FastPath... ends) {
        for (FastPath end : ends) {
            end.retireReceiver();
            end.retireSender();
        }
    }

    /** Both ends are mapped in this process, so resident memory counts twice. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBusySenderUsesWhatThereIs(boolean plenty) throws Exception {
        long before = Segments.residentBytes();
        FastPath[] ends = ends(plenty ? PLENTY : 2 * MemoryBudget.LEAST, VERSION);
        stream(ends[0], ends[1], 10 * WINDOW);
        long resident = (Segments.residentBytes() - before) / 2;
        assertTrue(plenty ? resident >= WINDOW / 2 : resident <= LEAST, resident + " bytes");
        retire(ends);
        assertEquals(before, Segments.residentBytes());
    }

    /** A peer of the first version does not know REWIND, so the sender gives pages back only when it is trimmed. */
    @Test
    void aPeerOfTheFirstVersion() throws Exception {
        long before = Segments.residentBytes();
        FastPath[] ends = ends(2 * MemoryBudget.LEAST, 1);
        stream(ends[0], ends[1], 2 * WINDOW);
        assertTrue((Segments.residentBytes() - before) / 2 >= WINDOW, "it goes through the whole ring");
        ends[0].trim(false);
        assertTrue((Segments.residentBytes() - before) / 2 <= LEAST, "and gives back what it does not need");
        stream(ends[0], ends[1], 2 * WINDOW);
        retire(ends);
    }
}
