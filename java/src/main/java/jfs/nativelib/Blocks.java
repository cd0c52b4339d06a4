package jfs.nativelib;

import java.nio.Buffer;

/**
 * Copies blocks of an array's elements, which lie at one distance from each other, to memory and back. For any thread. A call waits for
 * nothing but a garbage collection. While it copies, the array stays where it is (JNI's GetPrimitiveArrayCritical), for which a garbage
 * collection may have to wait. Arrays and buffers must not be null, and have elements of the size that is passed.
 */
public final class Blocks {

    private Blocks() {
    }

    /**
     * Copies blocks one behind the other into memory.
     *
     * @param from an array of a primitive type, whose elements have {@code size} bytes
     * @param first index of the first block's first element
     * @param distance from one block's first element to the next one's, in elements; may be negative or 0
     * @param length of each block, in elements, not negative
     * @param count of the blocks, above 0
     * @param into a direct buffer of such elements, in the byte order of the processor, and not read-only; position and limit do not count
     * @param index in the buffer, in elements
     * @param size bytes of an element
     * @return 0; {@code -EINVAL} if an element is not in the array or the buffer, and then nothing is copied; {@code -ENOMEM} if the JVM
     *         gives no access to the array
     */
    public static native int gather(Object from, int first, int distance, int length, int count, Buffer into, int index, int size);

    /** As {@link #gather}, out of memory. Blocks that overlap are stored in their order. */
    public static native int scatter(Buffer from, int index, Object into, int first, int distance, int length, int count, int size);
}
