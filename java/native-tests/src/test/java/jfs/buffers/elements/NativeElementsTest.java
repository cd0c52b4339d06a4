package jfs.buffers.elements;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import jfs.buffers.elements.Elements.Memory;
import jfs.nativelib.NativeLibrary;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Blocks that native code may copy, beside the same copies in Java, which {@code ElementsTest} has tested: on the heap, in both orders. */
class NativeElementsTest {

    private static final int COUNT = 40;

    private final Random random = new Random(33);

    /** The elements of one type, twice. */
    record Both<A>(Elements<A> stable, Elements<A> any) {

        @Override
        public String toString() {
            return stable.type().toString();
        }
    }

    static Stream<Both<?>> types() {
        return Stream.of(new Both<>(new ByteElements(Memory.STABLE), new ByteElements(Memory.ANY)),
                new Both<>(new ShortElements(Memory.STABLE), new ShortElements(Memory.ANY)),
                new Both<>(new CharElements(Memory.STABLE), new CharElements(Memory.ANY)),
                new Both<>(new IntElements(Memory.STABLE), new IntElements(Memory.ANY)),
                new Both<>(new LongElements(Memory.STABLE), new LongElements(Memory.ANY)),
                new Both<>(new FloatElements(Memory.STABLE), new FloatElements(Memory.ANY)),
                new Both<>(new DoubleElements(Memory.STABLE), new DoubleElements(Memory.ANY)),
                new Both<>(new BooleanElements(Memory.STABLE), new BooleanElements(Memory.ANY)));
    }

    @BeforeAll
    static void load() {
        NativeLibrary.lookIn(Path.of(System.getProperty("jfs.native.dir")), "shim", "shim");
        assertNull(NativeLibrary.unavailable());
        NativeLibrary.wantBlocks(true);
    }

    @AfterAll
    static void restore() {
        NativeLibrary.wantBlocks(false);
    }

    @ParameterizedTest
    @MethodSource("types")
    <A> void areCopiedAsInJava(Both<A> elements) {
        for (int length : new int[] {1, 2, 3, 5, 200}) {
            for (int stride : new int[] {-2 * length, -1, 0, 1, length, length + 1}) {
                for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
                    copy(elements, length, stride, order, true);
                    copy(elements, length, stride, order, false);
                }
            }
        }
    }

    private <A> void copy(Both<A> elements, int length, int stride, ByteOrder order, boolean direct) {
        String what = "length " + length + ", stride " + stride + ", " + order + (direct ? ", direct" : ", on the heap");
        int span = (COUNT - 1) * Math.abs(stride) + length;
        int at = stride < 0 ? span - length : 0;
        int all = COUNT * length;
        ByteBuffer random = memory(elements.any, Math.max(span, all) + 2, false);
        A array = elements.any.array(span);
        elements.any.get(elements.any.view(random), 0, span, array, 0);

        ByteBuffer expected = memory(elements.any, all + 2, direct).order(order);
        ByteBuffer found = copyOf(expected, direct);
        elements.any.putBlocks(array, at, stride, length, COUNT, elements.any.view(expected), 1);
        elements.stable.putBlocks(array, at, stride, length, COUNT, elements.stable.view(found), 1);
        assertEquals(expected, found, what);

        ByteBuffer from = memory(elements.any, all + 2, direct).order(order); // a boolean may be any byte here
        A right = elements.any.array(span);
        A scattered = elements.any.array(span);
        elements.any.getBlocks(elements.any.view(from), 1, right, at, stride, length, COUNT);
        elements.stable.getBlocks(elements.stable.view(from), 1, scattered, at, stride, length, COUNT);
        assertEquals(bytes(elements.any, right), bytes(elements.any, scattered), what);
        if (right instanceof boolean[] booleans) { // compares the bytes of the arrays, in which true has to be 1
            assertTrue(Arrays.equals(booleans, (boolean[]) scattered), what);
        }
    }

    private ByteBuffer memory(Elements<?> elements, int count, boolean direct) {
        byte[] bytes = new byte[count * elements.size()];
        random.nextBytes(bytes);
        return (direct ? ByteBuffer.allocateDirect(bytes.length) : ByteBuffer.allocate(bytes.length)).put(0, bytes);
    }

    private static ByteBuffer copyOf(ByteBuffer memory, boolean direct) {
        int bytes = memory.capacity();
        ByteBuffer copy = direct ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
        return copy.put(0, memory, 0, bytes).order(memory.order());
    }

    /** The elements as bytes, because a NaN is not equal to itself. */
    private static <A> ByteBuffer bytes(Elements<A> elements, A array) {
        ByteBuffer bytes = ByteBuffer.allocate(elements.length(array) * elements.size());
        elements.put(array, 0, elements.length(array), elements.view(bytes), 0);
        return bytes;
    }
}
