package jfs.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import jfs.nativelib.NativeLibrary;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Native copies of blocks beside {@link System#arraycopy} for each of them. What must not change is compared too. */
class BlockCopiesTest {

    /** The most bytes and blocks of one native call are less. */
    private static final int MANY_BYTES = (32 << 10) + 100;
    private static final int MANY_BLOCKS = 1024 + 3;

    private final Random random = new Random(33);

    @BeforeAll
    static void load() {
        NativeLibrary.lookIn(Path.of(System.getProperty("jfs.native.dir")), "shim", "shim");
        assertNull(NativeLibrary.unavailable());
        NativeLibrary.wantBlocks(true);
    }

    static Stream<ElementType> types() {
        return Arrays.stream(ElementType.values());
    }

    /** All lengths up to the longest block that has a loop of its own, and distances that overlap, touch and leave gaps. */
    @ParameterizedTest
    @MethodSource("types")
    void lengthsAndDistances(ElementType type) {
        for (int length = 1; length <= 128 / type.bytes() + 1; length++) {
            for (int distance : new int[] {-2 * length, -length, -1, 0, 1, length - 1, length, length + 1, 3 * length}) {
                copy(type, distance, length, random.nextInt(10));
            }
        }
    }

    /** Several native calls. */
    @ParameterizedTest
    @MethodSource("types")
    void manyBlocks(ElementType type) {
        copy(type, 2, 1, MANY_BLOCKS);
        copy(type, -3, 2, MANY_BLOCKS);
        copy(type, 101, 100, MANY_BYTES / 100 / type.bytes() + 1);
        copy(type, 1, 5, 3 * MANY_BLOCKS); // they overlap, from one call to the next too
    }

    @ParameterizedTest
    @EnumSource(names = {"SHORT", "DOUBLE"})
    void whatIsNotInTheArrayOrTheMemoryIsRefused(ElementType type) {
        Object array = array(type, 10);
        Buffer view = view(type, memory(type, 10));
        assertTrue(BlockCopies.gather(type, array, 0, 2, 1, 5, view, 5));
        assertFalse(BlockCopies.gather(type, array, 0, 2, 1, 6, view, 0));
        assertFalse(BlockCopies.gather(type, array, 0, 1, 1, 6, view, 5));
        assertTrue(BlockCopies.scatter(type, view, 5, array, 0, 2, 1, 5));
        assertFalse(BlockCopies.scatter(type, view, 0, array, 0, 2, 1, 6));
        assertFalse(BlockCopies.scatter(type, view, 5, array, 0, 1, 1, 6));
    }

    @Test
    void onlyDirectMemoryAndBlocksThatAreNotTooLong() {
        byte[] array = new byte[2000];
        assertTrue(BlockCopies.gather(ElementType.BYTE, array, 0, 0, 1024, 1, ByteBuffer.allocateDirect(2000), 0));
        assertFalse(BlockCopies.gather(ElementType.BYTE, array, 0, 0, 1025, 1, ByteBuffer.allocateDirect(2000), 0));
        assertFalse(BlockCopies.gather(ElementType.BYTE, array, 0, 0, 1, 1, ByteBuffer.allocate(2000), 0));
    }

    @Test
    void onlyIfTheyAreWanted() {
        NativeLibrary.wantBlocks(false);
        try {
            assertFalse(BlockCopies.gather(ElementType.BYTE, new byte[1], 0, 0, 1, 1, ByteBuffer.allocateDirect(1), 0));
        } finally {
            NativeLibrary.wantBlocks(true);
        }
    }

    /** Copies blocks out of an array, and back to another one. */
    private void copy(ElementType type, int distance, int length, int count) {
        String what = type + ", distance " + distance + ", length " + length + ", count " + count;
        int span = Math.max(count - 1, 0) * Math.abs(distance) + length;
        int first = (distance < 0 ? span - length : 0) + random.nextInt(3);
        int index = random.nextInt(3);
        Object array = array(type, span + 5);
        ByteBuffer memory = memory(type, count * length + index + 2);
        ByteBuffer expected = ByteBuffer.allocate(memory.capacity()).order(ByteOrder.nativeOrder()).put(0, memory, 0, memory.capacity());
        ElementViews elements = new ElementViews(expected);
        for (int i = 0; i < count; i++) {
            elements.put(type, ByteOrder.nativeOrder(), (index + i * length) * type.bytes(), array, first + i * distance, length);
        }
        assertTrue(BlockCopies.gather(type, array, first, distance, length, count, view(type, memory), index), what);
        assertEquals(expected, memory, what);

        Object found = array(type, span + 5);
        Object right = array(type, span + 5);
        System.arraycopy(found, 0, right, 0, span + 5);
        for (int i = 0; i < count; i++) {
            elements.get(type, ByteOrder.nativeOrder(), (index + i * length) * type.bytes(), right, first + i * distance, length);
        }
        assertTrue(BlockCopies.scatter(type, view(type, memory), index, found, first, distance, length, count), what);
        assertEquals(bytes(type, right), bytes(type, found), what);
        assertEquals(expected, memory, what);
    }

    private static Buffer view(ElementType type, ByteBuffer memory) {
        return new ElementViews(memory).view(type, ByteOrder.nativeOrder(), 0);
    }

    /** Direct, at any address, with random bytes; of booleans only those that an array has. */
    private ByteBuffer memory(ElementType type, int elements) {
        byte[] bytes = new byte[elements * type.bytes()];
        random.nextBytes(bytes);
        for (int i = 0; type == ElementType.BOOLEAN && i < bytes.length; i++) {
            bytes[i] &= 1;
        }
        int unaligned = random.nextInt(Long.BYTES);
        ByteBuffer memory = ByteBuffer.allocateDirect(unaligned + bytes.length).position(unaligned).slice();
        return memory.order(ByteOrder.nativeOrder()).put(0, bytes);
    }

    private Object array(ElementType type, int length) {
        Object array = switch (type) {
            case BOOLEAN -> new boolean[length];
            case BYTE -> new byte[length];
            case CHAR -> new char[length];
            case SHORT -> new short[length];
            case INT -> new int[length];
            case LONG -> new long[length];
            case FLOAT -> new float[length];
            case DOUBLE -> new double[length];
        };
        new ElementViews(memory(type, length)).get(type, ByteOrder.nativeOrder(), 0, array, 0, length);
        return array;
    }

    /** The elements as bytes, because a NaN is not equal to itself. */
    private static ByteBuffer bytes(ElementType type, Object array) {
        ByteBuffer bytes = ByteBuffer.allocate(Array.getLength(array) * type.bytes()).order(ByteOrder.nativeOrder());
        new ElementViews(bytes).put(type, ByteOrder.nativeOrder(), 0, array, 0, Array.getLength(array));
        return bytes;
    }
}
