package jfs.buffers.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.BooleanSupplier;
import jfs.buffers.pool.BuddyPool.Bookkeeping;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a debugging pool finds and says. */
class DebuggingTest {
    private static final long LIMIT_NANOS = 30_000_000_000L;

    private final PrintStream stderr = System.err;
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @BeforeEach
    void listen() {
        System.setErr(new PrintStream(said, true));
    }

    @AfterEach
    void listenNoMore() {
        System.setErr(stderr);
    }

    private static BuddyPool.Builder pool(Bookkeeping bookkeeping) {
        return BuddyPool.builder().name("test").bookkeeping(bookkeeping).slab(1 << 16).smallest(64);
    }

    private static void collectUntil(BooleanSupplier condition) {
        long end = System.nanoTime() + LIMIT_NANOS;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, "the garbage collector has not found it");
            System.gc();
        }
    }

    private long reports() {
        return said.toString().lines().filter(line -> line.startsWith("jfs: pool test: ")).count();
    }

    private static void forget(BuddyPool pool, int bytes) {
        pool.allocate(bytes);
    }

    @ParameterizedTest
    @EnumSource
    void aBufferThatWasNeverClosedIsReportedOnceForEachPlace(Bookkeeping bookkeeping) {
        BuddyPool pool = pool(bookkeeping).debug(1).build();
        pool.allocate(1000).close();
        PooledBuffer held = pool.allocate(1000);
        for (int i = 0; i < 3; i++) {
            forget(pool, 777 + i);
        }
        collectUntil(() -> pool.leaks() == 3 && reports() > 0);
        String text = said.toString();
        assertTrue(text.replaceFirst("of 77[789] bytes", "of SOME bytes").startsWith("jfs: pool test: a buffer of SOME bytes was never"
                + " closed; it was allocated here\n\tat jfs.buffers.pool.DebuggingTest.forget(DebuggingTest.java:"), text);
        assertEquals(1, reports(), text);
        assertEquals(3, pool.leaks());
        held.close();
    }

    @Test
    void withoutDebuggingNothingIsSaid() {
        BuddyPool pool = pool(Bookkeeping.OUTSIDE).build();
        BuddyPool watched = pool(Bookkeeping.OUTSIDE).name("watched").debug(1).build();
        forget(pool, 777);
        forget(watched, 777);
        collectUntil(() -> watched.leaks() == 1);
        assertEquals(0, pool.leaks());
        assertEquals(0, reports());
    }

    @ParameterizedTest
    @CsvSource({"OUTSIDE, true", "OUTSIDE, false", "INSIDE, true", "INSIDE, false"})
    void aWriteAfterTheCloseIsFoundAtTheNextAllocation(Bookkeeping bookkeeping, boolean magazines) {
        BuddyPool pool = pool(bookkeeping).magazines(magazines).debug(2).build();
        PooledBuffer first = pool.allocate(1000);
        ByteBuffer kept = first.memory();
        kept.put(500, (byte) 1);
        first.close();
        pool.allocate(1000).close();
        assertEquals(0, pool.lateWrites(), "the write before the close does not count");
        kept.clear().put(500, (byte) 1);
        PooledBuffer second = pool.allocate(1000);
        assertEquals(1, pool.lateWrites());
        String text = said.toString();
        assertTrue(text.startsWith("jfs: pool test: byte 500 of a free block of 1024 bytes was written after its owner had closed it; "),
                text);
        if (magazines) {
            assertTrue(text.contains("its last owner had allocated it here\n\tat jfs.buffers.pool.DebuggingTest."), text);
        }
        second.close();
    }

    private static ByteBuffer memoryOfAHalf(BuddyPool pool) {
        try (PooledBuffer half = pool.allocate(1 << 15); PooledBuffer other = pool.allocate(1 << 15)) {
            assertEquals(half.memory().remaining(), other.memory().remaining());
            return half.memory().slice();
        }
    }

    private static ByteBuffer memoryOfAWhole(BuddyPool pool) {
        try (PooledBuffer whole = pool.allocate(1 << 16)) {
            return whole.memory().slice();
        }
    }

    /** A block that was split or merged since has had other owners. */
    @Test
    void theOwnerOfAnotherPartOfTheSlabIsNotBlamed() {
        BuddyPool pool = pool(Bookkeeping.OUTSIDE).magazines(false).debug(2).build();
        memoryOfAHalf(pool);
        memoryOfAWhole(pool).put(0, (byte) 1);
        pool.allocate(1 << 15).close(); // had the same memory in memoryOfAHalf
        assertEquals(1, pool.lateWrites());
        assertFalse(said.toString().contains("memoryOfAHalf"), said.toString());

        BuddyPool next = pool(Bookkeeping.OUTSIDE).magazines(false).debug(2).build();
        memoryOfAWhole(next);
        memoryOfAHalf(next).put(0, (byte) 1);
        next.allocate(1 << 16).close();
        assertEquals(1, next.lateWrites());
        assertFalse(said.toString().contains("memoryOfAWhole"), said.toString());
    }

    @ParameterizedTest
    @CsvSource({"OUTSIDE, 1", "OUTSIDE, 2", "INSIDE, 1", "INSIDE, 2"})
    void aBufferThatIsUsedAfterItsCloseMovesNoPositionOfTheNextOwner(Bookkeeping bookkeeping, int debug) {
        BuddyPool pool = BuddyPool.builder().bookkeeping(bookkeeping).debug(debug).build();
        PooledBuffer first = pool.allocate(64);
        ByteBuffer late = first.memory();
        first.close();
        try (PooledBuffer next = pool.allocate(60)) {
            late.order(ByteOrder.LITTLE_ENDIAN).limit(9).position(5);
            assertEquals(0, next.memory().position());
            assertEquals(60, next.memory().limit());
            assertEquals(ByteOrder.BIG_ENDIAN, next.memory().order());
            assertSame(next.memory(), next.memory().position(3));
        }
    }

    @Test
    void aDebuggingPoolTellsWhereTheFirstCloseWas() {
        BuddyPool pool = pool(Bookkeeping.OUTSIDE).debug(1).build();
        PooledBuffer buffer = pool.allocate(10);
        closeFirst(buffer);
        Throwable cause = assertThrows(IllegalStateException.class, buffer::close).getCause();
        assertEquals("it was closed here", cause.getMessage());
        assertEquals("closeFirst", cause.getStackTrace()[1].getMethodName());
        assertEquals("it was allocated here", cause.getCause().getMessage());
    }

    private static void closeFirst(PooledBuffer buffer) {
        buffer.close();
    }

    @Test
    void theSettingIsANumberOfThree() {
        assertEquals(0, BufferPools.debugSetting());
        try {
            System.setProperty("jfs.buffers.debug", "2");
            assertEquals(2, BufferPools.debugSetting());
            System.setProperty("jfs.buffers.debug", "yes");
            var bad = assertThrows(IllegalArgumentException.class, BufferPools::debugSetting);
            assertEquals("jfs: bad setting jfs.buffers.debug=yes; allowed is a whole number from 0 to 2", bad.getMessage());
        } finally {
            System.clearProperty("jfs.buffers.debug");
        }
    }
}
