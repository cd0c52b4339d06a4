package jfs.buffers.elements;

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

    /** The elements of a view and of an array: what is copied begins in the middle of the array and goes both ways. */
    private static final int IN_VIEW = 40;
    private static final int IN_ARRAY = 70;
    private static final int MIDDLE = IN_ARRAY / 2;

    private final Random random = new Random(33);

    static Stream<Elements<?>> types() {
        return Stream.of(new ByteElements(), new ShortElements(), new CharElements(), new IntElements(), new LongElements(),
                new FloatElements(), new DoubleElements(), new BooleanElements());
    }

    /** Lengths on both sides of the one up to which blocks are copied element by element; distances that overlap, touch and leave gaps. */
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

    @ParameterizedTest
    @MethodSource("types")
    <A> void stridedElements(Elements<A> elements) {
        for (int count = 0; count <= 6; count++) {
            for (int stride = -6; stride <= 6; stride++) {
                List<Integer> places = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    places.add(MIDDLE + i * stride);
                }
                int n = count;
                int distance = stride;
                check(elements, places, (array, view, index) -> elements.putStrided(array, MIDDLE, distance, n, view, index),
                        (view, index, array) -> elements.getStrided(view, index, n, array, MIDDLE, distance));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    <A> void elementsByTheirIndexes(Elements<A> elements) {
        for (int round = 0; round < 200; round++) {
            int[] indexes = random.ints(20, 0, IN_ARRAY).toArray();
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
        int index = random.nextInt(IN_VIEW - places.size() + 1);
        ByteBuffer memory = memory(elements, order);
        A array = array(elements);
        List<Object> inArray = contents(array);
        List<Object> inMemory = contents(elements, memory);
        for (int i = 0; i < places.size(); i++) {
            Object element = inArray.get(places.get(i));
            inMemory.set(index + i, element instanceof Boolean truth ? (byte) (truth ? 1 : 0) : element);
        }
        put.put(array, elements.view(memory), index);
        assertEquals(inMemory, contents(elements, memory), () -> "put from " + places + " to " + index + ", " + order);
        assertEquals(inArray, contents(array), "the array is only read");

        memory = memory(elements, order);
        inMemory = contents(elements, memory);
        for (int i = 0; i < places.size(); i++) {
            Object element = inMemory.get(index + i);
            inArray.set(places.get(i), elements.type() == ElementType.BOOLEAN ? (Object) ((byte) element != 0) : element);
        }
        get.get(elements.view(memory), index, array);
        assertEquals(inArray, contents(array), () -> "get from " + index + " to " + places + ", " + order);
        assertEquals(inMemory, contents(elements, memory), "the view is only read");
    }

    @SuppressWarnings("unchecked")
    private <A> A array(Elements<A> elements) {
        A array = (A) switch (elements.type()) {
            case BOOLEAN -> new boolean[IN_ARRAY];
            case BYTE -> new byte[IN_ARRAY];
            case SHORT -> new short[IN_ARRAY];
            case CHAR -> new char[IN_ARRAY];
            case INT -> new int[IN_ARRAY];
            case LONG -> new long[IN_ARRAY];
            case FLOAT -> new float[IN_ARRAY];
            case DOUBLE -> new double[IN_ARRAY];
        };
        ByteBuffer memory = memory(elements, ByteOrder.BIG_ENDIAN);
        for (int i = 0; i < IN_ARRAY; i++) {
            Array.set(array, i, elements.type() == ElementType.BOOLEAN ? random.nextBoolean() : element(elements, memory, i % IN_VIEW));
        }
        return array;
    }

    /** Random bytes: of a boolean all 256, and NaNs of all kinds among the floating-point numbers. */
    private ByteBuffer memory(Elements<?> elements, ByteOrder order) {
        byte[] bytes = new byte[IN_VIEW * elements.size()];
        random.nextBytes(bytes);
        for (int i = random.nextInt(4); i < bytes.length; i += 4) {
            bytes[i] = 0;
        }
        ByteBuffer memory = random.nextBoolean() ? ByteBuffer.allocate(bytes.length) : ByteBuffer.allocateDirect(bytes.length);
        return memory.put(0, bytes).order(order);
    }

    private static List<Object> contents(Object array) {
        List<Object> contents = new ArrayList<>();
        for (int i = 0; i < Array.getLength(array); i++) {
            contents.add(Array.get(array, i));
        }
        return contents;
    }

    private static List<Object> contents(Elements<?> elements, ByteBuffer memory) {
        List<Object> contents = new ArrayList<>();
        for (int i = 0; i < IN_VIEW; i++) {
            contents.add(element(elements, memory, i));
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
