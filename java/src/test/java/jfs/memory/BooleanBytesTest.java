package jfs.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Copies of {@code boolean[]} beside a loop over the elements: lengths around a piece's, odd offsets, bytes that are neither 0 nor 1. */
class BooleanBytesTest {

    private static final int SPACE = 3 * 2048 + 64;

    private final Random random = new Random(7);

    @ParameterizedTest
    @CsvSource({"0,0,0", "1,0,0", "7,3,1", "8,5,0", "9,1,6", "2047,0,3", "2048,1,0", "2049,13,7", "4096,9,2", "4101,31,11"})
    void elementsAreStoredAsOneAndZero(int count, int offset, int index) {
        boolean[] from = new boolean[index + count + 3];
        for (int i = 0; i < from.length; i++) {
            from[i] = random.nextBoolean();
        }
        byte[] before = new byte[SPACE];
        random.nextBytes(before);
        byte[] expected = before.clone();
        for (int i = 0; i < count; i++) {
            expected[offset + i] = (byte) (from[index + i] ? 1 : 0);
        }
        for (ByteBuffer memory : new ByteBuffer[] {ByteBuffer.allocate(SPACE), ByteBuffer.allocateDirect(SPACE)}) {
            memory.put(0, before);
            new ElementViews(memory).put(ElementType.BOOLEAN, ByteOrder.BIG_ENDIAN, offset, from, index, count);

            byte[] stored = new byte[SPACE];
            memory.get(0, stored);
            assertArrayEquals(expected, stored);
        }
    }

    @ParameterizedTest
    @CsvSource({"0,0,0", "1,0,0", "7,3,1", "8,5,0", "9,1,6", "2047,0,3", "2048,1,0", "2049,13,7", "4096,9,2", "4101,31,11"})
    void eachByteButZeroIsTrue(int count, int offset, int index) {
        byte[] bytes = new byte[SPACE];
        for (int i = 0; i < SPACE; i++) {
            bytes[i] = random.nextBoolean() ? 0 : (byte) i; // each of the 256 values comes, beside zeros and beside others
        }
        boolean[] expected = new boolean[index + count + 3];
        for (int i = 0; i < count; i++) {
            expected[index + i] = bytes[offset + i] != 0;
        }
        for (ByteBuffer memory : new ByteBuffer[] {ByteBuffer.wrap(bytes.clone()), ByteBuffer.allocateDirect(SPACE).put(0, bytes)}) {
            boolean[] into = new boolean[expected.length];
            new ElementViews(memory).get(ElementType.BOOLEAN, ByteOrder.BIG_ENDIAN, offset, into, index, count);

            assertArrayEquals(expected, into);
            byte[] left = new byte[SPACE];
            memory.get(0, left);
            assertArrayEquals(bytes, left, "a read changes nothing in the memory");
        }
    }
}
