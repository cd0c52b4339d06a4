package jfs.buffers.objects;

import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.FilterInfo;
import java.io.ObjectInputFilter.Status;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Set;

/** Which objects a receiver makes of what a peer has sent. */
final class ObjectFilters {

    /** How deep objects may lie in each other. Reading them takes stack: a thread with 1 MB has enough for several times this. */
    static final int MAX_DEPTH = 200;

    /** The elements of all arrays for each byte of the stream. HashSet asks for up to 8 for each of its elements (by its load factor). */
    private static final int REFERENCES_PER_BYTE = 8;

    private static final Set<Class<?>> VALUES = Set.of(Object.class, String.class, Boolean.class, Character.class, Byte.class, Short.class,
            Integer.class, Long.class, Float.class, Double.class, Number.class, Enum.class, BigInteger.class, BigDecimal.class);

    private ObjectFilters() {
    }

    /**
     * What one stream of objects may have. The filter counts what it has seen, so each stream needs a new one.
     *
     * @param program what the program allows beside values; null: nothing
     * @param bytes the length of the stream
     */
    static ObjectInputFilter of(ObjectInputFilter program, int bytes) {
        return new OfStream(program, bytes);
    }

    /** The filter of one stream. One thread uses it. */
    private static final class OfStream implements ObjectInputFilter {

        private final ObjectInputFilter program;
        private final int bytes;
        /** The elements of all arrays of references so far. */
        private long references;

        OfStream(ObjectInputFilter program, int bytes) {
            this.program = program;
            this.bytes = bytes;
        }

        @Override
        public Status checkInput(FilterInfo info) {
            if (info.depth() > MAX_DEPTH || isForged(info)) {
                return Status.REJECTED;
            }
            Status status = program == null ? Status.UNDECIDED : program.checkInput(info);
            return status == Status.UNDECIDED ? values(info) : status;
        }

        /**
         * Whether an array says that it has more elements than the stream has bytes for. The JDK would make the array before it reads
         * them. Arrays of references lie in each other, and the outer ones are made first, so their elements count together. An array
         * of primitive elements is read to its end before the next array is made.
         */
        private boolean isForged(FilterInfo info) {
            if (info.arrayLength() < 0 || info.serialClass() == null) {
                return false;
            }
            Class<?> element = info.serialClass().getComponentType();
            if (element == null || !element.isPrimitive()) {
                references += info.arrayLength();
                return references > (long) REFERENCES_PER_BYTE * bytes;
            }
            return info.arrayLength() * bytesOf(element) > bytes;
        }
    }

    /** Values, and arrays of them: nothing that runs a program's code, or whose reading takes longer than its bytes are long. */
    private static Status values(FilterInfo info) {
        Class<?> type = info.serialClass();
        if (type == null) {
            return Status.UNDECIDED;
        }
        while (type.isArray()) {
            type = type.getComponentType();
        }
        return type.isPrimitive() || VALUES.contains(type) ? Status.ALLOWED : Status.REJECTED;
    }

    private static long bytesOf(Class<?> primitive) {
        if (primitive == long.class || primitive == double.class) {
            return Long.BYTES;
        }
        if (primitive == int.class || primitive == float.class) {
            return Integer.BYTES;
        }
        return primitive == short.class || primitive == char.class ? Short.BYTES : Byte.BYTES;
    }
}
