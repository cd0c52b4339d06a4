package jfs.memory;

import java.nio.Buffer;
import jfs.nativelib.Blocks;
import jfs.nativelib.NativeLibrary;

/**
 * Copies blocks of an array's elements, which lie at one distance from each other, to memory and back: many blocks by one native call. A
 * loop in Java stores the elements one by one, and a copy of a buffer takes long for a few elements (docs/performance/layouts.md).
 *
 * <p>No copy is made here if it is not wanted ({@code jfs.buffers.native}), if the native library is not loaded, if the memory is not
 * direct, or if the blocks are long. The caller then copies in Java. A call does not load the native library.
 *
 * <p>For any thread. A call allocates nothing, and waits for nothing but a garbage collection. The garbage collector can't move an array
 * while native code copies, and before Java 25 some collectors then can't begin (docs/design/typed-streams.md). So each native call has a
 * limit of bytes and of blocks. It takes some microseconds if the array is in the processor's caches.
 *
 * <p>The arrays and views have to be of the type that is passed, and not null. Native code can't check that, and would overwrite other
 * memory.
 */
public final class BlockCopies {

    /** The bytes of the longest blocks: the JDK's copy of a longer one is as fast. */
    private static final int LONGEST = 1024;
    /** The most bytes of one native call. */
    private static final int BYTES = 32 << 10;
    /** The most blocks of one native call. */
    private static final int BLOCKS = 1024;

    private BlockCopies() {
    }

    /**
     * Copies blocks one behind the other into memory.
     *
     * @param from an array of the type
     * @param first index of the first block's first element
     * @param distance from one block's first element to the next one's, in elements; may be negative or 0
     * @param length of each block, in elements, above 0
     * @param into a view of the type's elements, in the byte order of the processor, and not read-only. Its memory stays during the call:
     *            no other thread or process unmaps or shortens it (BLOCKS-1)
     * @param index in the view
     * @return whether all blocks were copied. If not, some of them may have been: native code refuses blocks that are not all in the array
     *         and in the view
     */
    public static boolean gather(ElementType type, Object from, int first, int distance, int length, int count, Buffer into, int index) {
        if (!arePossible(type, length, into)) {
            return false;
        }
        int most = most(type, length);
        for (int done = 0; done < count; done += most) {
            int n = Math.min(most, count - done);
            if (Blocks.gather(from, first + done * distance, distance, length, n, into, index + done * length, type.bytes()) != 0) {
                return false;
            }
        }
        return true;
    }

    /** As {@link #gather}, out of memory. Blocks that overlap are stored in their order. Bytes of booleans have to be 0 or 1. */
    public static boolean scatter(ElementType type, Buffer from, int index, Object into, int first, int distance, int length, int count) {
        if (!arePossible(type, length, from)) {
            return false;
        }
        int most = most(type, length);
        for (int done = 0; done < count; done += most) {
            int n = Math.min(most, count - done);
            if (Blocks.scatter(from, index + done * length, into, first + done * distance, distance, length, n, type.bytes()) != 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean arePossible(ElementType type, int length, Buffer memory) {
        return NativeLibrary.copiesBlocks() && memory.isDirect() && length <= LONGEST / type.bytes();
    }

    /** The most blocks of one native call. */
    private static int most(ElementType type, int length) {
        return Math.min(BLOCKS, BYTES / (length * type.bytes()));
    }
}
