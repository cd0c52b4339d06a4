package workloads.arrays;

import java.util.Locale;

/** The primitive types that are measured. */
public enum ElementType {
    BOOLEAN(Byte.BYTES),
    BYTE(Byte.BYTES),
    CHAR(Character.BYTES),
    SHORT(Short.BYTES),
    INT(Integer.BYTES),
    LONG(Long.BYTES),
    FLOAT(Float.BYTES),
    DOUBLE(Double.BYTES);

    private final int bytes;

    ElementType(int bytes) {
        this.bytes = bytes;
    }

    /** The bytes of an element. */
    public int bytes() {
        return bytes;
    }

    /** An array of that many bytes. */
    Elements ofBytes(int length) {
        int count = length / bytes;
        return switch (this) {
            case BOOLEAN -> new Booleans(count);
            case BYTE -> new Bytes(count);
            case CHAR -> new Chars(count);
            case SHORT -> new Shorts(count);
            case INT -> new Ints(count);
            case LONG -> new Longs(count);
            case FLOAT -> new Floats(count);
            case DOUBLE -> new Doubles(count);
        };
    }

    /** As in "double[]". */
    public String title() {
        return name().toLowerCase(Locale.ROOT) + "[]";
    }
}
