package jfs.buffers;

import java.nio.ByteBuffer;

/** The place in a message where a program reads next: a section, and an element in it. */
final class SectionCursor {

    private final MessageMemory memory;
    private final ObjectSections objects;
    private int end;
    private int header;
    /** Of the section at {@link #header}: null behind the last one. */
    private BasicType<?> type;
    private int order;
    private int count;
    private int left;

    SectionCursor(MessageMemory memory, ObjectSections objects) {
        this.memory = memory;
        this.objects = objects;
    }

    /** Begins with the first section. @param end where the static section ends */
    void start(int end) {
        this.end = end;
        header = MessageFormat.PREFIX;
        objects.start();
        open();
    }

    private void open() {
        if (header == end) {
            type = null;
            left = 0;
            return;
        }
        ByteBuffer bytes = memory.bytes(MessageFormat.BIG);
        type = BasicType.ofCode(bytes.get(header));
        order = bytes.get(header + MessageFormat.ORDER);
        count = memory.bytes(order).getInt(header + MessageFormat.COUNT);
        left = count;
    }

    BasicType<?> type() {
        return type;
    }

    /** The elements of the section that were not read. */
    int left() {
        return left;
    }

    /** All elements of the section. */
    int count() {
        return count;
    }

    int order() {
        return order;
    }

    /** The place of the next element in bytes. */
    int at() {
        return header + MessageFormat.HEADER + (count - left) * type.bytes();
    }

    /** The bytes of a section of objects in the dynamic section. */
    int objectBytes() {
        return memory.bytes(order).getInt(header + MessageFormat.HEADER);
    }

    /** @throws SectionMismatchException if the section has another type, or fewer elements are left in it */
    void require(BasicType<?> wanted, int elements) {
        if (type != wanted || elements > left) {
            throw new SectionMismatchException("wanted are " + elements + " elements of the type " + wanted + "; the message has "
                    + (type == null ? "no section left" : left + " elements of the type " + type + " left in its section"));
        }
    }

    /**
     * @throws SectionMismatchException if the next sections are not exactly those of a struct, or the first of them was read in part
     */
    void require(StructLayout layout, int records) {
        int at = header;
        for (int i = 0; i < layout.parts().size(); i++) {
            StructLayout.Part part = layout.parts().get(i);
            int wanted = part.size() * records;
            if (at == end) {
                throw new SectionMismatchException("wanted are " + wanted + " elements of the type " + part.type()
                        + "; the message has no section left");
            }
            BasicType<?> its = BasicType.ofCode(memory.bytes(MessageFormat.BIG).get(at));
            int itsCount = memory.bytes(memory.bytes(MessageFormat.BIG).get(at + MessageFormat.ORDER)).getInt(at + MessageFormat.COUNT);
            int itsLeft = at == header ? left : itsCount;
            if (its != part.type() || itsLeft != wanted) {
                throw new SectionMismatchException("wanted is a section with " + wanted + " elements of the type " + part.type()
                        + "; the message has one with " + itsLeft + " of the type " + its);
            }
            at += MessageFormat.HEADER + (int) MessageFormat.body(its, itsCount);
        }
    }

    /** Goes on behind elements that were read, and to the next section if none is left. */
    void took(int elements) {
        left -= elements;
        if (left == 0) {
            if (type == BasicType.OBJECT) {
                objects.next(objectBytes());
            }
            header += MessageFormat.HEADER + (int) MessageFormat.body(type, count);
            open();
        }
    }
}
