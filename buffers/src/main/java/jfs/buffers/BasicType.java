package jfs.buffers;

import static jfs.buffers.elements.Elements.Memory.ANY;
import static jfs.buffers.elements.Elements.Memory.STABLE;

import java.util.List;
import jfs.buffers.elements.BooleanElements;
import jfs.buffers.elements.ByteElements;
import jfs.buffers.elements.CharElements;
import jfs.buffers.elements.DoubleElements;
import jfs.buffers.elements.Elements;
import jfs.buffers.elements.FloatElements;
import jfs.buffers.elements.IntElements;
import jfs.buffers.elements.LongElements;
import jfs.buffers.elements.ShortElements;

/**
 * The type of the elements of a section: one of Java's primitive types, or objects. In MPI's terms a basic datatype. Immutable.
 *
 * @param <A> the arrays that have such elements, such as {@code double[]}
 */
public final class BasicType<A> {

    /** One byte each. */
    public static final BasicType<byte[]> BYTE = new BasicType<>(1, "byte", new ByteElements(ANY), new ByteElements(STABLE));
    /** Two bytes each. */
    public static final BasicType<short[]> SHORT = new BasicType<>(2, "short", new ShortElements(ANY), new ShortElements(STABLE));
    /** Two bytes each: the UTF-16 code units that Java has. */
    public static final BasicType<char[]> CHAR = new BasicType<>(3, "char", new CharElements(ANY), new CharElements(STABLE));
    /** Four bytes each. */
    public static final BasicType<int[]> INT = new BasicType<>(4, "int", new IntElements(ANY), new IntElements(STABLE));
    /** Eight bytes each. */
    public static final BasicType<long[]> LONG = new BasicType<>(5, "long", new LongElements(ANY), new LongElements(STABLE));
    /** Four bytes each. */
    public static final BasicType<float[]> FLOAT = new BasicType<>(6, "float", new FloatElements(ANY), new FloatElements(STABLE));
    /** Eight bytes each. */
    public static final BasicType<double[]> DOUBLE = new BasicType<>(7, "double", new DoubleElements(ANY), new DoubleElements(STABLE));
    /** One byte each: 1 is true and 0 is false; a reader takes each other byte for true. */
    public static final BasicType<boolean[]> BOOLEAN = new BasicType<>(8, "boolean", new BooleanElements(ANY), new BooleanElements(STABLE));
    /**
     * Serialized objects. A message has them in its dynamic section. This type tells what a section has; layouts, and the methods that take
     * a type, are for primitive types.
     */
    public static final BasicType<Object[]> OBJECT = new BasicType<>(9, "object", null, null);

    /** By their codes, the first of which is 1. */
    private static final List<BasicType<?>> ALL = List.of(BYTE, SHORT, CHAR, INT, LONG, FLOAT, DOUBLE, BOOLEAN, OBJECT);

    private final int code;
    private final String name;
    private final Elements<A> elements;
    private final Elements<A> inStableMemory;

    private BasicType(int code, String name, Elements<A> elements, Elements<A> inStableMemory) {
        this.code = code;
        this.name = name;
        this.elements = elements;
        this.inStableMemory = inStableMemory;
    }

    /** The type that a section header names, or null if there is none with this code. */
    static BasicType<?> ofCode(int code) {
        return code >= 1 && code <= ALL.size() ? ALL.get(code - 1) : null;
    }

    /** The number by which a section header names the type (drawn in {@link MessageFormat}). */
    int code() {
        return code;
    }

    /**
     * The elements in memory of any kind.
     *
     * @throws IllegalArgumentException if this is {@link #OBJECT}
     */
    Elements<A> elements() {
        return elements(ANY);
    }

    /** The elements in memory of that kind. @throws IllegalArgumentException if this is {@link #OBJECT} */
    Elements<A> elements(Elements.Memory memory) {
        if (elements == null) {
            throw new IllegalArgumentException("the element type is object; allowed are the primitive types");
        }
        return memory == STABLE ? inStableMemory : elements;
    }

    /** The bytes of one element. Of {@link #OBJECT} 0, because serialized objects have no fixed size. */
    public int bytes() {
        return elements == null ? 0 : elements.size();
    }

    /** The name of the type: that of Java's primitive type, or {@code object}. */
    @Override
    public String toString() {
        return name;
    }
}
