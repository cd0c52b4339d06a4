package jfs.buffers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jfs.buffers.elements.Checks;
import jfs.buffers.elements.Elements;
import jfs.buffers.elements.Regions;

/**
 * Writes the sections of a {@link PackedMessage}, which has one writer. Each call adds a section, or if it throws adds nothing. The message
 * must be <em>written</em>: neither committed nor received nor closed.
 */
public final class SectionWriter {

    private final PackedMessage message;
    private final MessageMemory memory;
    private final ObjectSections objects;
    /** The most bytes of the message. */
    private final int most;
    /** The order of the sections that are written next. */
    private int order = MessageFormat.code(ByteOrder.nativeOrder());
    /** Where the static section ends. */
    private int end;
    private int sections;

    SectionWriter(PackedMessage message, MessageMemory memory, ObjectSections objects, int most) {
        this.message = message;
        this.memory = memory;
        this.objects = objects;
        this.most = most;
        clear();
    }

    /** Forgets all sections. */
    void clear() {
        end = MessageFormat.PREFIX;
        sections = 0;
    }

    int end() {
        return end;
    }

    int sections() {
        return sections;
    }

    void order(ByteOrder order) {
        this.order = MessageFormat.code(order);
    }

    ByteOrder order() {
        return MessageFormat.order(order);
    }

    /** Completes the message. */
    void putPrefix() {
        MessageFormat.putPrefix(memory.bytes(MessageFormat.BIG), end - MessageFormat.PREFIX, objects.bytes().length(), sections);
    }

    /** Takes over what the prefix of a received message tells. */
    void takePrefix() {
        ByteBuffer bytes = memory.bytes(MessageFormat.BIG);
        end = MessageFormat.PREFIX + bytes.getInt(MessageFormat.STATIC);
        sections = bytes.getInt(MessageFormat.SECTIONS);
    }

    /** Makes room for a section. @return the place of its first element */
    private int begin(BasicType<?> type, int count) {
        return room(MessageFormat.HEADER + MessageFormat.body(type, count)) + MessageFormat.HEADER;
    }

    /** Makes room for bytes behind the last section. @return their place */
    private int room(long bytes) {
        long needed = end + bytes;
        if (needed + objects.bytes().length() > most) {
            throw new PackOverflowException("the message would have " + (needed + objects.bytes().length()) + " bytes; allowed is " + most);
        }
        if (needed > memory.capacity()) {
            long size = Math.max(needed, Math.min(most, 2L * memory.capacity()));
            memory.grow((int) size, end);
        }
        return end;
    }

    /** Writes the header of a section, whose elements are there. */
    private void end(BasicType<?> type, int count) {
        ByteBuffer bytes = memory.bytes(order);
        long length = type == BasicType.OBJECT ? Integer.BYTES : (long) count * type.bytes();
        int next = end + MessageFormat.HEADER + (int) MessageFormat.body(type, count);
        for (int i = end + MessageFormat.HEADER + (int) length; i < next; i++) {
            bytes.put(i, (byte) 0); // The memory may have bytes of an earlier owner, which the peer must not see.
        }
        MessageFormat.putHeader(bytes, end, type, count);
        end = next;
        sections++;
    }

    private <A> void writeSlice(BasicType<A> type, A from, int offset, int count) {
        message.requireWritten();
        Elements<A> elements = type.elements();
        Checks.slice("from", elements.length(from), "offset", offset, count);
        int at = begin(type, count);
        elements.put(from, offset, count, memory.view(type, order), at / type.bytes());
        end(type, count);
    }

    /**
     * Writes elements of an array, as one section.
     *
     * @param offset the index of the first one
     * @throws IndexOutOfBoundsException if the array has not these elements
     * @throws PackOverflowException if the message may not become so long
     * @throws IllegalStateException if the message is not being written
     */
    public void write(byte[] from, int offset, int count) {
        writeSlice(BasicType.BYTE, from, offset, count);
    }

    /** Writes all elements of the array, as one section. See {@link #write(byte[], int, int)}. */
    public void write(byte[] from) {
        write(from, 0, from.length);
    }

    /** Writes elements of an array, as one section. See {@link #write(byte[], int, int)}. */
    public void write(short[] from, int offset, int count) {
        writeSlice(BasicType.SHORT, from, offset, count);
    }

    /** Writes all elements of the array, as one section. See {@link #write(byte[], int, int)}. */
    public void write(short[] from) {
        write(from, 0, from.length);
    }

    /** Writes elements of an array, as one section. See {@link #write(byte[], int, int)}. */
    public void write(char[] from, int offset, int count) {
        writeSlice(BasicType.CHAR, from, offset, count);
    }

    /** Writes all elements of the array, as one section. See {@link #write(byte[], int, int)}. */
    public void write(char[] from) {
        write(from, 0, from.length);
    }

    /** Writes elements of an array, as one section. See {@link #write(byte[], int, int)}. */
    public void write(int[] from, int offset, int count) {
        writeSlice(BasicType.INT, from, offset, count);
    }

    /** Writes all elements of the array, as one section. See {@link #write(byte[], int, int)}. */
    public void write(int[] from) {
        write(from, 0, from.length);
    }

    /** Writes elements of an array, as one section. See {@link #write(byte[], int, int)}. */
    public void write(long[] from, int offset, int count) {
        writeSlice(BasicType.LONG, from, offset, count);
    }

    /** Writes all elements of the array, as one section. See {@link #write(byte[], int, int)}. */
    public void write(long[] from) {
        write(from, 0, from.length);
    }

    /** Writes elements of an array, as one section. See {@link #write(byte[], int, int)}. */
    public void write(float[] from, int offset, int count) {
        writeSlice(BasicType.FLOAT, from, offset, count);
    }

    /** Writes all elements of the array, as one section. See {@link #write(byte[], int, int)}. */
    public void write(float[] from) {
        write(from, 0, from.length);
    }

    /** Writes elements of an array, as one section. See {@link #write(byte[], int, int)}. */
    public void write(double[] from, int offset, int count) {
        writeSlice(BasicType.DOUBLE, from, offset, count);
    }

    /** Writes all elements of the array, as one section. See {@link #write(byte[], int, int)}. */
    public void write(double[] from) {
        write(from, 0, from.length);
    }

    /** Writes elements of an array, as one section. See {@link #write(byte[], int, int)}. */
    public void write(boolean[] from, int offset, int count) {
        writeSlice(BasicType.BOOLEAN, from, offset, count);
    }

    /** Writes all elements of the array, as one section. See {@link #write(byte[], int, int)}. */
    public void write(boolean[] from) {
        write(from, 0, from.length);
    }

    /**
     * Writes objects of an array, as one section, by serialization. Objects that refer to each other do so at the receiver too, if they are
     * in the same section. Null is allowed.
     *
     * @param offset the index of the first one
     * @throws IndexOutOfBoundsException if the array has not these elements
     * @throws PackOverflowException if the message may not become so long
     * @throws IllegalStateException if the message is not being written
     * @throws java.io.NotSerializableException if an object is of a class that is not serializable
     * @throws IOException that an object's own method {@code writeObject} has thrown
     */
    public void write(Object[] from, int offset, int count) throws IOException {
        message.requireWritten();
        Checks.slice("from", from.length, "offset", offset, count);
        int at = begin(BasicType.OBJECT, count);
        int next = at + (int) MessageFormat.body(BasicType.OBJECT, count);
        int length = objects.write(from, offset, count, most - next);
        memory.bytes(order).putInt(at, length);
        end(BasicType.OBJECT, count);
    }

    /** Writes all objects of the array, as one section. See {@link #write(Object[], int, int)}. */
    public void write(Object[] from) throws IOException {
        write(from, 0, from.length);
    }

    /**
     * Gathers elements of an array from the given indexes, as one section.
     *
     * @param indexes where the elements are in the array; an index may come several times
     * @param first the first of the indexes that is used
     * @param count how many of the indexes are used
     * @throws IndexOutOfBoundsException if there are not so many indexes, or one is not in the array
     * @throws IllegalArgumentException if the type is {@link BasicType#OBJECT}
     * @throws PackOverflowException if the message may not become so long
     * @throws IllegalStateException if the message is not being written
     */
    public <A> void gather(BasicType<A> type, A from, int[] indexes, int first, int count) {
        message.requireWritten();
        Elements<A> elements = type.elements();
        Checks.indexes(indexes, first, count, "from", elements.length(from));
        int at = begin(type, count);
        elements.putIndexed(from, indexes, first, count, memory.view(type, order), at / type.bytes());
        end(type, count);
    }

    /** Gathers objects. See {@link #gather(BasicType, Object, int[], int, int)} and {@link #write(Object[], int, int)}. */
    public void gather(Object[] from, int[] indexes, int first, int count) throws IOException {
        message.requireWritten();
        Checks.indexes(indexes, first, count, "from", from.length);
        Object[] gathered = new Object[count];
        for (int i = 0; i < count; i++) {
            gathered[i] = from[indexes[first + i]];
        }
        write(gathered, 0, count);
    }

    /**
     * Gathers a region of several dimensions, as one section: the elements at {@code offset + i0 * strides[0] + i1 * strides[1] + ...},
     * with each {@code i} from 0 to below {@code shape}, the last one fastest. So rows 2 and 3 of columns 4 to 8 of a matrix with 100
     * columns are {@code offset 204, shape {2, 5}, strides {100, 1}}, and the same transposed is {@code shape {5, 2}, strides {1, 100}}.
     *
     * @param strides may be negative or 0
     * @throws IndexOutOfBoundsException if an element is not in the array
     * @throws IllegalArgumentException if shape and strides have different lengths, the shape has a number below 0, there are too many
     *             elements, or the type is {@link BasicType#OBJECT}
     * @throws PackOverflowException if the message may not become so long
     * @throws IllegalStateException if the message is not being written
     */
    public <A> void gatherStrided(BasicType<A> type, A from, int offset, int[] shape, int[] strides) {
        message.requireWritten();
        Elements<A> elements = type.elements();
        int count = Checks.region(offset, shape, strides, "from", elements.length(from));
        int at = begin(type, count);
        if (count > 0) {
            Regions.put(memory.elements(type), from, offset, shape, strides, 0, memory.view(type, order), at / type.bytes());
        }
        end(type, count);
    }

    /**
     * Packs items of a layout, as one section.
     *
     * @param offset the index in the array at which the first item has its offset 0
     * @param count the number of items
     * @throws IndexOutOfBoundsException if an element is not in the array
     * @throws IllegalArgumentException if the count is below 0, or there are too many elements
     * @throws PackOverflowException if the message may not become so long
     * @throws IllegalStateException if the message is not being written
     */
    public <A> void pack(ArrayLayout<A> layout, A from, int offset, int count) {
        message.requireWritten();
        int size = layout.checked(from, "from", offset, count);
        int at = begin(layout.type(), size);
        BasicType<A> type = layout.type();
        layout.put(memory.elements(type), from, offset, count, memory.view(type, order), at / type.bytes());
        end(type, size);
    }

    /**
     * Packs records, as one section for each type of their fields.
     *
     * @param from the records, in its byte order. Its position has no meaning here and stays
     * @param offset the byte in the buffer at which the first record has its offset 0
     * @param count the number of records
     * @throws IndexOutOfBoundsException if a field is not in the buffer, below its limit
     * @throws IllegalArgumentException if the count is below 0, or there are too many elements
     * @throws PackOverflowException if the message may not become so long
     * @throws IllegalStateException if the message is not being written
     */
    public void pack(StructLayout layout, ByteBuffer from, int offset, int count) {
        message.requireWritten();
        layout.check(from, "from", offset, count);
        long needed = 0;
        for (int i = 0; i < layout.parts().size(); i++) {
            StructLayout.Part part = layout.parts().get(i);
            needed += MessageFormat.HEADER + MessageFormat.body(part.type(), part.size() * count);
        }
        room(needed);
        for (int i = 0; i < layout.parts().size(); i++) {
            StructLayout.Part part = layout.parts().get(i);
            layout.put(part, from, offset, count, memory.bytes(order), end + MessageFormat.HEADER);
            end(part.type(), part.size() * count);
        }
    }
}
