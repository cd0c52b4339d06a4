package jfs.memory;

/** The primitive types, with the bytes that an element takes in a stream: as {@link java.io.DataOutput} writes it. */
public enum ElementType {

    BOOLEAN(1), BYTE(1), CHAR(2), SHORT(2), INT(4), LONG(8), FLOAT(4), DOUBLE(8);

    private final int bytes;

    ElementType(int bytes) {
        this.bytes = bytes;
    }

    /** The bytes of one element. */
    public int bytes() {
        return bytes;
    }
}
