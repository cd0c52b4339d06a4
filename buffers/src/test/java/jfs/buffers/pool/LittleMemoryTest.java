package jfs.buffers.pool;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import jfs.buffers.pool.BuddyPool.Bookkeeping;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A pool whose limit is above what the JVM gives as direct memory. */
class LittleMemoryTest {

    private static final int SLAB = 1 << 18;
    private static final int SLABS = 3;

    /** The JVM has room for three slabs. */
    static final class Program {

        public static void main(String[] arguments) {
            Bookkeeping bookkeeping = Bookkeeping.valueOf(arguments[0]);
            BuddyPool pool = BuddyPool.builder().bookkeeping(bookkeeping).slab(SLAB).build();
            fillMagazines(pool);
            pool.allocate(SLAB - InsideAllocator.HEADER).close();
            System.out.println("the blocks of the magazines were merged");
            fillMagazines(pool);
            pool.allocate(2 * SLAB + SLAB / 2).close();
            System.out.println("the free slabs were given up");
            List<PooledBuffer> all = new ArrayList<>();
            try {
                while (all.size() <= SLABS) {
                    all.add(pool.allocate(SLAB - InsideAllocator.HEADER));
                }
            } catch (OutOfMemoryError e) {
                System.out.println("there is no more memory");
            }
            all.forEach(PooledBuffer::close);
            pool.allocate(SLAB - InsideAllocator.HEADER).close();
            System.out.println("the pool can still be used");
        }

        private static void fillMagazines(BuddyPool pool) {
            int block = (1 << Magazines.LARGEST_ORDER) - InsideAllocator.HEADER;
            List<PooledBuffer> all = new ArrayList<>();
            for (int bytes = 0; bytes < SLABS * SLAB; bytes += 1 << Magazines.LARGEST_ORDER) {
                all.add(pool.allocate(block));
            }
            all.forEach(PooledBuffer::close);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatThePoolKeepsIsGivenUpBeforeThereIsNoMemory(Bookkeeping bookkeeping) throws Exception {
        String said = OtherJvm.run(Program.class, bookkeeping.name(), "-XX:MaxDirectMemorySize=1m");
        assertTrue(said.endsWith(String.join(System.lineSeparator(), "the blocks of the magazines were merged",
                "the free slabs were given up", "there is no more memory", "the pool can still be used", "")), said);
    }
}
