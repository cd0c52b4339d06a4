package jfs.buffers.elements;

import static jfs.buffers.elements.Elements.Memory.ANY;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import jfs.memory.ElementType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All copies of {@link Elements}, for each type, beside a loop over single elements. What must not change is compared too: the rest of the
 * view, and the rest of the array. Each type has a class of its own, in which one copy may be wrong and the others right.
 */
class ElementsTest {

    private static final int MIDDLE = 35;

    private final Random random = new Random(33);
    // The elements of a view and of an array. What is copied begins in the middle of the array and goes both ways.
    private int inView = 40;
    private int inArray = 2 * MIDDLE;

    static Stream<Elements<?>> types() {
        return Stream.of(new ByteElements(ANY), new ShortElements(ANY), new CharElements(ANY), new IntElements(ANY), new LongElements(ANY),
                new FloatElements(ANY), new DoubleElements(ANY), new BooleanElements(ANY));
    }

    /** Lengths on both sides of the one up to which each has a loop of its own; distances that overlap, touch and leave gaps. */
    @ParameterizedTest
    @MethodSource("types")
    <A> void blocks(Elements<A> elements) {
        for (int length = 1; length <= 7; length++) {
            for (int count = 0; count <= 4; count++) {
                for (int stride = -8; stride <= 8; stride++) {
                    List<Integer> places = new ArrayList<>();
                    for (int i = 0; i < count * length; i++) {
                        places.add(MIDDLE + i / length * stride + i % length);
                    }
                    int ofEach = length;
                    int blocks = count;
                    int distance = stride;
                    check(elements, places,
                            (array, view, index) -> elements.putBlocks(array, MIDDLE, distance, ofEach, blocks, view, index),
                            (view, index, array) -> elements.getBlocks(view, index, array, MIDDLE, distance, ofEach, blocks));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    <A> void slices(Elements<A> elements) {
        for (int count = 0; count <= 20; count++) {
            List<Integer> places = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                places.add(MIDDLE + i);
            }
            int n = count;
            check(elements, places, (array, view, index) -> elements.put(array, MIDDLE, n, view, index),
                    (view, index, array) -> elements.get(view, index, n, array, MIDDLE));
        }
    }

    /** More blocks than are gathered at once, and blocks too long to be gathered. */
    @ParameterizedTest
    @MethodSource("types")
    <A> void manyBlocks(Elements<A> elements) {
        int longest = 64 / elements.size();
        for (int length : new int[] {1, 2, 3, 4, 5, longest, longest + 1}) {
            int ofEach = length;
            int blocks = 2 * 4096 / elements.size() / length + 2;
            List<Integer> places = new ArrayList<>();
            for (int i = 0; i < blocks * length; i++) {
                places.add(i / length * (length + 1) + i % length);
            }
            inView = places.size() + 3;
            inArray = places.get(places.size() - 1) + 3;
            check(elements, places, (array, view, index) -> elements.putBlocks(array, 0, ofEach + 1, ofEach, blocks, view, index),
                    (view, index, array) -> elements.getBlocks(view, index, array, 0, ofEach + 1, ofEach, blocks));
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    <A> void elementsByTheirIndexes(Elements<A> elements) {
        for (int round = 0; round < 200; round++) {
            int[] indexes = random.ints(20, 0, inArray).toArray();
            int first = random.nextInt(10);
            int count = random.nextInt(11);
            List<Integer> places = new ArrayList<>();
            for (int i = first; i < first + count; i++) {
                places.add(indexes[i]);
            }
            check(elements, places, (array, view, index) -> elements.putIndexed(array, indexes, first, count, view, index),
                    (view, index, array) -> elements.getIndexed(view, index, count, array, indexes, first));
        }
    }

    /** A part of the runs of a layout: with and without a common length, with and without a common distance. */
    @ParameterizedTest
    @MethodSource("types")
    <A> void runs(Elements<A> elements) {
        for (int round = 0; round < 400; round++) {
            Runs.Builder builder = new Runs.Builder();
            boolean regular = random.nextBoolean();
            int distance = 6 + random.nextInt(3);
            int length = 1 + random.nextInt(5);
            for (int i = 0; i < 4; i++) {
                builder.add(regular ? i * distance : -20 + random.nextInt(40), regular ? length : 1 + random.nextInt(5));
            }
            Runs runs = builder.build();
            int first = random.nextInt(runs.count());
            int count = random.nextInt(runs.count() - first + 1);
            List<Integer> places = new ArrayList<>();
            for (int i = first; i < first + count; i++) {
                for (int j = 0; j < runs.length(i); j++) {
                    places.add(MIDDLE + runs.offset(i) + j);
                }
            }
            if (count > 0) {
                check(elements, places, (array, view, index) -> elements.putRuns(array, MIDDLE, runs, first, count, view, index),
                        (view, index, array) -> elements.getRuns(view, index, array, MIDDLE, runs, first, count));
            }
        }
    }

    private interface Put<A> {
        void put(A array, Buffer view, int index);
    }

    private interface Get<A> {
        void get(Buffer view, int index, A array);
    }

    /** Both directions, in both byte orders. @param places where in the array the elements lie, in their order in the view */
    private <A> void check(Elements<A> elements, List<Integer> places, Put<A> put, Get<A> get) {
        ByteOrder order = random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        int index = random.nextInt(inView - places.size() + 1);
        ByteBuffer memory = memory(elements, order);
        A array = array(elements);
        List<Object> inArray = contents(array);
        List<Object> inMemory = contents(elements, memory);
        for (int i = 0; i < places.size(); i++) {
            Object element = inArray.get(places.get(i));
            inMemory.set(index + i, element instanceof Boolean truth ? (byte) (truth ? 1 : 0) : element);
        }
        put.put(array, elements.view(memory), index);
        same(inMemory, contents(elements, memory), "put " + places.size() + " elements to " + index + ", " + order);
        same(inArray, contents(array), "the array is only read");

        memory = memory(elements, order);
        inMemory = contents(elements, memory);
        for (int i = 0; i < places.size(); i++) {
            Object element = inMemory.get(index + i);
            inArray.set(places.get(i), elements.type() == ElementType.BOOLEAN ? (Object) ((byte) element != 0) : element);
        }
        get.get(elements.view(memory), index, array);
        same(inArray, contents(array), "get " + places.size() + " elements from " + index + ", " + order);
        same(inMemory, contents(elements, memory), "the view is only read");
    }

    /** Names the first difference: there may be thousands of elements. */
    private static void same(List<Object> expected, List<Object> found, String what) {
        for (int i = 0; i < expected.size(); i++) {
            assertEquals(expected.get(i), found.get(i), what + ": element " + i);
        }
    }

    @SuppressWarnings("unchecked")
    private <A> A array(Elements<A> elements) {
        A array = (A) switch (elements.type()) {
            case BOOLEAN -> new boolean[inArray];
            case BYTE -> new byte[inArray];
            case SHORT -> new short[inArray];
            case CHAR -> new char[inArray];
            case INT -> new int[inArray];
            case LONG -> new long[inArray];
            case FLOAT -> new float[inArray];
            case DOUBLE -> new double[inArray];
        };
        ByteBuffer memory = memory(elements, ByteOrder.BIG_ENDIAN);
        for (int i = 0; i < inArray; i++) {
            Array.set(array, i, elements.type() == ElementType.BOOLEAN ? random.nextBoolean() : element(elements, memory, i % inView));
        }
        return array;
    }

    /** Random bytes: of a boolean all 256, and NaNs of all kinds among the floating-point numbers. */
    private ByteBuffer memory(Elements<?> elements, ByteOrder order) {
        byte[] bytes = new byte[inView * elements.size()];
        random.nextBytes(bytes);
        for (int i = random.nextInt(4); i < bytes.length; i += 4) {
            bytes[i] = 0;
        }
        ByteBuffer memory = random.nextBoolean() ? ByteBuffer.allocate(bytes.length) : ByteBuffer.allocateDirect(bytes.length);
        return memory.put(0, bytes).order(order);
    }

    /** Floating-point numbers are compared by their bits: all NaNs are equal otherwise. */
    private static Object bits(Object element) {
        return element instanceof Float number ? (Object) Float.floatToRawIntBits(number)
                : element instanceof Double number ? (Object) Double.doubleToRawLongBits(number) : element;
    }

    private static List<Object> contents(Object array) {
        List<Object> contents = new ArrayList<>();
        for (int i = 0; i < Array.getLength(array); i++) {
            contents.add(bits(Array.get(array, i)));
        }
        return contents;
    }

    private List<Object> contents(Elements<?> elements, ByteBuffer memory) {
        List<Object> contents = new ArrayList<>();
        for (int i = 0; i < inView; i++) {
            contents.add(bits(element(elements, memory, i)));
        }
        return contents;
    }

    /** An element as it lies in memory. A boolean is a byte there. */
    private static Object element(Elements<?> elements, ByteBuffer memory, int i) {
        int at = i * elements.size();
        return switch (elements.type()) {
            case BOOLEAN, BYTE -> memory.get(at);
            case SHORT -> memory.getShort(at);
            case CHAR -> memory.getChar(at);
            case INT -> memory.getInt(at);
            case LONG -> memory.getLong(at);
            case FLOAT -> memory.getFloat(at);
            case DOUBLE -> memory.getDouble(at);
        };
    }
}
