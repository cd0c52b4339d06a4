package jfs.nativelib;

import static jfs.nativelib.NativeCalls.EINVAL;
import static jfs.nativelib.NativeCalls.is;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jfs.nativelib.NativeCalls.Call;

/** Calls of each native method of {@link Blocks}. {@code BlockCopiesTest} copies more. */
final class BlocksMethods {

    /** Blocks that are not all in an array of 10 elements: the first index, the distance, the length, the count. */
    private static final List<int[]> NOT_IN_ARRAY = List.of(new int[] {-1, 1, 1, 1}, new int[] {10, 1, 1, 1}, new int[] {7, 2, 2, 2},
            new int[] {1, -1, 1, 3}, new int[] {0, Integer.MAX_VALUE, 1, 2}, new int[] {9, Integer.MIN_VALUE, 1, 2},
            new int[] {0, 1, Integer.MAX_VALUE, 1}, new int[] {0, 1, -1, 1}, new int[] {0, 1, 1, 0}, new int[] {0, 1, 1, -1},
            new int[] {0, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE});

    private BlocksMethods() {
    }

    /** The calls, by the name of the method that each of them is about. */
    static Map<String, Call> calls() {
        Map<String, Call> calls = new HashMap<>();
        calls.put("Blocks.gather", BlocksMethods::gather);
        calls.put("Blocks.scatter", BlocksMethods::scatter);
        return calls;
    }

    private static void gather() {
        int[] array = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
        IntBuffer memory = memory();
        is(0, Blocks.gather(array, 8, -4, 2, 3, memory, 4, 4)); // both ends of the array, and the end of the memory
        is(List.of(0, 0, 0, 0, 8, 9, 4, 5, 0, 1), contents(memory));
        for (int[] blocks : NOT_IN_ARRAY) {
            is(-EINVAL, Blocks.gather(array, blocks[0], blocks[1], blocks[2], blocks[3], memory, 0, 4));
        }
        for (int index : new int[] {-1, 5, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            is(-EINVAL, Blocks.gather(array, 0, 3, 2, 3, memory, index, 4));
        }
        is(-EINVAL, Blocks.gather(array, 0, 1, 1, 1, IntBuffer.allocate(10), 0, 4));
        is(List.of(0, 0, 0, 0, 8, 9, 4, 5, 0, 1), contents(memory));
    }

    private static void scatter() {
        IntBuffer memory = memory();
        for (int i = 0; i < 10; i++) {
            memory.put(i, i);
        }
        int[] array = new int[10];
        is(0, Blocks.scatter(memory, 6, array, 9, -9, 1, 2, 4));
        is(0, Blocks.scatter(memory, 0, array, 3, 1, 2, 3, 4)); // the blocks overlap
        is(List.of(7, 0, 0, 0, 2, 4, 5, 0, 0, 6), contents(IntBuffer.wrap(array)));
        for (int[] blocks : NOT_IN_ARRAY) {
            is(-EINVAL, Blocks.scatter(memory, 0, array, blocks[0], blocks[1], blocks[2], blocks[3], 4));
        }
        for (int index : new int[] {-1, 5, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            is(-EINVAL, Blocks.scatter(memory, index, array, 0, 3, 2, 3, 4));
        }
        is(-EINVAL, Blocks.scatter(IntBuffer.allocate(10), 0, array, 0, 1, 1, 1, 4));
        is(List.of(7, 0, 0, 0, 2, 4, 5, 0, 0, 6), contents(IntBuffer.wrap(array)));
    }

    private static IntBuffer memory() {
        return ByteBuffer.allocateDirect(40).order(ByteOrder.nativeOrder()).asIntBuffer();
    }

    private static List<Integer> contents(IntBuffer buffer) {
        Integer[] all = new Integer[10];
        for (int i = 0; i < 10; i++) {
            all[i] = buffer.get(i);
        }
        return List.of(all);
    }
}
