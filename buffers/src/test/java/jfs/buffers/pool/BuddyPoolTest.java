package jfs.buffers.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import jfs.buffers.pool.BuddyPool.Bookkeeping;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What one pool promises: sizes, limits, what it gives back, and what is an error. */
class BuddyPoolTest {
    private static final int SLAB = 1 << 16;

    private static BuddyPool.Builder pool(Bookkeeping bookkeeping) {
        return BuddyPool.builder().name("test").bookkeeping(bookkeeping).slab(SLAB).smallest(64);
    }

    @ParameterizedTest
    @EnumSource
    void aSecondCloseIsAnErrorAndFreesNothingOfTheNextOwner(Bookkeeping bookkeeping) {
        BuddyPool pool = pool(bookkeeping).build();
        PooledBuffer first = pool.allocate(1000);
        ByteBuffer memory = first.memory();
        first.close();
        PooledBuffer second = pool.allocate(1000);
        assertSame(memory, second.memory(), "the next owner has the same memory");
        long used = pool.used();
        var closed = assertThrows(IllegalStateException.class, first::close);
        assertEquals("jfs: close() of a buffer of the pool test that was closed before", closed.getMessage());
        assertEquals(used, pool.used());
        assertEquals("jfs: memory() of a buffer of the pool test that was closed before",
                assertThrows(IllegalStateException.class, first::memory).getMessage());
        assertNotSame(memory, pool.allocate(1000).memory(), "the memory still has an owner");
        assertEquals("buffer of the pool test, closed", first.toString());
        assertEquals("buffer of the pool test", second.toString());
    }

    @ParameterizedTest
    @EnumSource
    void theAllocatorRefusesABlockThatIsFree(Bookkeeping bookkeeping) {
        BuddyAllocator allocator = pool(bookkeeping).build().allocator();
        allocator.addSlab();
        Block block = allocator.allocate(10);
        allocator.free(block);
        assertThrows(IllegalStateException.class, () -> allocator.free(block));
    }

    @Test
    void allOfAProgramHaveOnePool() {
        BuddyPool shared = BufferPools.shared();
        assertSame(shared, BufferPools.shared());
        try (PooledBuffer buffer = shared.allocate(5000)) {
            assertEquals(8192, shared.used());
            assertEquals(5000, buffer.memory().remaining());
        }
        assertEquals(0, shared.used());
        assertEquals(1 << 23, shared.reserved());
    }

    @Test
    void badValuesAreNamedWithWhatIsAllowed() {
        assertMessage("jfs: allocate(0): allowed is 1 or more", () -> BufferPools.shared().allocate(0));
        assertMessage("jfs: allocate(-1): allowed is 1 or more", () -> BufferPools.shared().allocate(-1));
        assertMessage("jfs: slab(1000): allowed is a power of two from 64 to 1073741824", () -> BuddyPool.builder().slab(1000));
        assertMessage("jfs: smallest(32): allowed is a power of two from 64 to 1073741824", () -> BuddyPool.builder().smallest(32));
        assertMessage("jfs: smallest(256): allowed is up to the size of a slab, 128", () -> BuddyPool.builder().slab(128).build());
        assertMessage("jfs: limit(0): allowed is the size of a slab or more", () -> BuddyPool.builder().limit(0));
        assertMessage("jfs: limit(8388607): allowed is the size of a slab or more, 8388608",
                () -> BuddyPool.builder().limit((1 << 23) - 1).build());
        assertMessage("jfs: debug(3): allowed is 0 to 2", () -> BuddyPool.builder().debug(3));
    }

    private static void assertMessage(String message, Runnable call) {
        assertEquals(message, assertThrows(IllegalArgumentException.class, call::run).getMessage());
    }

    @ParameterizedTest
    @EnumSource
    void theLimitHoldsAndItsMessageHasTheNumbers(Bookkeeping bookkeeping) {
        BuddyPool pool = pool(bookkeeping).limit(2 * SLAB).magazines(false).build();
        int half = SLAB / 2 - InsideAllocator.HEADER;
        List<PooledBuffer> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(pool.allocate(half));
        }
        var exhausted = assertThrows(PoolExhaustedException.class, () -> pool.allocate(1));
        assertEquals("jfs: allocate(1) on the pool test, which has 2 slabs of 65536 bytes and 0 bytes in memory of its own, of which 131072"
                + " bytes are in use, in blocks; its limit is 131072 bytes", exhausted.getMessage());
        assertEquals(2 * SLAB, pool.reserved());
        all.get(2).close();
        pool.allocate(half);
    }

    @ParameterizedTest
    @EnumSource
    void whatWaitsInMagazinesIsNotLostToTheLimit(Bookkeeping bookkeeping) {
        BuddyPool pool = pool(bookkeeping).limit(SLAB).build();
        List<PooledBuffer> small = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            small.add(pool.allocate(1000));
        }
        small.forEach(PooledBuffer::close);
        assertEquals(0, pool.used());
        assertTrue(pool.allocator().freeBytes() < SLAB, "some blocks wait");
        pool.allocate(SLAB - InsideAllocator.HEADER);
    }

    @ParameterizedTest
    @EnumSource
    void aRequestAboveTheSlabHasMemoryOfItsOwnUntilItsClose(Bookkeeping bookkeeping) {
        BuddyPool pool = pool(bookkeeping).limit(4 * SLAB).build();
        PooledBuffer great = pool.allocate(3 * SLAB + 1);
        assertEquals(3 * SLAB + 1, great.memory().capacity());
        assertEquals(3 * SLAB + 1, pool.reserved());
        assertEquals(3 * SLAB + 1, pool.used());
        assertThrows(PoolExhaustedException.class, () -> pool.allocate(SLAB + 1));
        great.close();
        assertEquals(0, pool.reserved());
        pool.allocate(100).close();
        assertEquals(SLAB, pool.reserved());
        assertEquals(4 * SLAB, pool.allocate(4 * SLAB).memory().limit(), "the free slab was given up for it");
        assertEquals(4 * SLAB, pool.reserved());
    }

    @ParameterizedTest
    @EnumSource
    void freeSlabsAreGivenUpButForOne(Bookkeeping bookkeeping) {
        BuddyPool pool = pool(bookkeeping).magazines(false).build();
        List<PooledBuffer> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            all.add(pool.allocate(SLAB - InsideAllocator.HEADER));
        }
        assertEquals(10 * SLAB, pool.reserved());
        all.forEach(PooledBuffer::close);
        assertEquals(SLAB, pool.reserved());
        PooledBuffer one = pool.allocate(1);
        pool.trim();
        assertEquals(SLAB, pool.reserved(), "a slab in use stays");
        one.close();
        pool.trim();
        assertEquals(0, pool.reserved());
    }

    /** The number of a slab that was given up is used again. */
    @ParameterizedTest
    @EnumSource
    void slabsComeAndGo(Bookkeeping bookkeeping) {
        BuddyPool pool = pool(bookkeeping).magazines(false).build();
        for (int round = 0; round < 5; round++) {
            List<Pieces> all = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                all.add(Pieces.take(pool, SLAB / 2 - InsideAllocator.HEADER, i));
            }
            for (int i = 0; i < 6; i += 2) {
                all.get(i).close();
                all.get((i + 3) % 6).close();
            }
            assertEquals(SLAB, pool.reserved());
            if (round % 2 == 0) {
                pool.trim();
            }
        }
    }

    @Test
    void aPowerOfTwoWastesNothingOutsideAndHalfInside() {
        BuddyPool outside = pool(Bookkeeping.OUTSIDE).build();
        outside.allocate(4096);
        assertEquals(4096, outside.used());
        BuddyPool inside = pool(Bookkeeping.INSIDE).build();
        inside.allocate(4096);
        assertEquals(8192, inside.used());
    }

    /** A program that writes after its close, here over the headers of the blocks that its former block was split into. */
    @Test
    void aDestroyedHeaderIsFound() {
        BuddyPool pool = pool(Bookkeeping.INSIDE).magazines(false).build();
        PooledBuffer great = pool.allocate(SLAB / 2);
        ByteBuffer kept = great.memory();
        great.close();
        PooledBuffer small = pool.allocate(1000);
        kept.clear();
        while (kept.hasRemaining()) {
            kept.put((byte) 0x55);
        }
        var destroyed = assertThrows(IllegalStateException.class, () -> pool.allocate(1000));
        assertTrue(destroyed.getMessage().startsWith("jfs: the header at byte 1024 of slab 0 is not that of a block"),
                destroyed.getMessage());
        assertThrows(IllegalStateException.class, small::close);
    }

    @ParameterizedTest
    @EnumSource
    void anAllocationMakesOneSmallObject(Bookkeeping bookkeeping) {
        BuddyPool pool = pool(bookkeeping).build();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        repeat(pool, 100);
        long before = threads.getCurrentThreadAllocatedBytes();
        repeat(pool, 10_000);
        long each = (threads.getCurrentThreadAllocatedBytes() - before) / 10_000;
        assertTrue(each <= 24, () -> each + " bytes");
    }

    private static void repeat(BuddyPool pool, int times) {
        for (int i = 0; i < times; i++) {
            pool.allocate(5000).close();
        }
    }
}
