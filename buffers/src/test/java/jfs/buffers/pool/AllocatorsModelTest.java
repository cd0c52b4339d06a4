package jfs.buffers.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jfs.buffers.pool.BuddyPool.Bookkeeping;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** Random requests to both allocators, beside a model that only adds up the sizes of blocks. */
class AllocatorsModelTest {
    private static final int SLAB = 1 << 14;
    private static final int SMALLEST = 64;
    private static final int HEADER = 16;
    private static final long LIMIT = 4 * SLAB;

    /** An allocation of so many bytes, or, if it is 0, the close of one of the buffers. @param which chooses it */
    record Step(int bytes, int which) {
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Integer> bytes = Arbitraries.frequencyOf(
                Tuple.of(4, Arbitraries.integers().between(1, 1000)),
                Tuple.of(2, Arbitraries.integers().between(1, SLAB)),
                Tuple.of(1, Arbitraries.integers().between(4, 14).map(order -> 1 << order)),
                Tuple.of(1, Arbitraries.integers().between(SLAB, 2 * SLAB)),
                Tuple.of(6, Arbitraries.just(0)));
        return Combinators.combine(bytes, Arbitraries.integers().between(0, 1 << 20)).as(Step::new).list().ofMaxSize(150);
    }

    @Property(tries = 250, edgeCases = EdgeCasesMode.NONE)
    void whatIsGivenDoesNotOverlapAndComesBackWhole(@ForAll Bookkeeping bookkeeping, @ForAll boolean magazines, @ForAll boolean patterned,
            @ForAll("steps") List<Step> steps) {
        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> take(bookkeeping, magazines, patterned, steps)); // a list may be a circle
    }

    private static void take(Bookkeeping bookkeeping, boolean magazines, boolean patterned, List<Step> steps) {
        BuddyPool pool = BuddyPool.builder().bookkeeping(bookkeeping).slab(SLAB).smallest(SMALLEST).limit(LIMIT).magazines(magazines)
                .debug(patterned ? 2 : 0).build();
        List<Pieces> live = new ArrayList<>();
        long used = 0;
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            if (step.bytes > 0) {
                try {
                    live.add(Pieces.take(pool, step.bytes, i));
                    used += block(bookkeeping, step.bytes);
                } catch (PoolExhaustedException e) {
                    assertNothingWasLeft(pool, bookkeeping, step.bytes);
                }
            } else if (!live.isEmpty()) {
                Pieces one = live.remove(step.which % live.size());
                one.close();
                used -= block(bookkeeping, one.bytes());
            }
            assertEquals(used, pool.used());
            assertTrue(pool.reserved() <= LIMIT, () -> pool.reserved() + " bytes");
        }
        live.forEach(Pieces::close);
        assertEquals(0, pool.used());
        assertIsWhole(pool, magazines);
        assertEquals(0, pool.lateWrites());
        pool.trim();
        assertEquals(0, pool.reserved());
    }

    /** What a request takes of the pool. */
    private static long block(Bookkeeping bookkeeping, int bytes) {
        int needed = bytes + (bookkeeping == Bookkeeping.INSIDE ? HEADER : 0);
        int block = SMALLEST;
        while (block < needed) {
            block *= 2;
        }
        return block > SLAB ? bytes : block;
    }

    private static void assertNothingWasLeft(BuddyPool pool, Bookkeeping bookkeeping, int bytes) {
        BuddyAllocator allocator = pool.allocator();
        long block = block(bookkeeping, bytes);
        boolean inSlab = Long.bitCount(block) == 1 && block <= SLAB;
        assertTrue(pool.reserved() + (inSlab ? SLAB : bytes) > LIMIT, () -> "only " + pool.reserved() + " bytes were taken");
        for (int order = allocator.order(bytes); order <= allocator.slabOrder; order++) {
            assertEquals(0, allocator.freeBlocks(order), "free blocks of order " + order);
        }
    }

    /** Without magazines all blocks are merged at once; the one slab that is left is one free block. */
    private static void assertIsWhole(BuddyPool pool, boolean magazines) {
        BuddyAllocator allocator = pool.allocator();
        if (!magazines) {
            assertTrue(allocator.slabs() <= 1, () -> allocator.slabs() + " slabs");
            assertEquals(allocator.slabs(), allocator.freeBlocks(allocator.slabOrder));
            assertEquals((long) allocator.slabs() * SLAB, allocator.freeBytes());
        }
    }
}
