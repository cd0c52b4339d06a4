package jfs.buffers;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import jfs.buffers.elements.Checks;
import jfs.buffers.elements.Elements;
import jfs.buffers.elements.Regions;

/**
 * Reads the sections of a {@link PackedMessage}, which has one reader. Sections are read in their order. A call may take fewer elements
 * than the section has; the next call takes the following ones, by any of the methods. A section is over when its last element was read,
 * or by {@link #skip}. An empty section is over when 0 elements of it were read.
 *
 * <p>A call that throws has taken nothing and stored nothing. The message must be <em>read</em>: committed or received. Elements of the
 * other byte order are converted.
 */
public final class SectionReader {

    private final PackedMessage message;
    private final MessageMemory memory;
    private final ObjectSections objects;
    private final SectionCursor cursor;

    SectionReader(PackedMessage message, MessageMemory memory, ObjectSections objects) {
        this.message = message;
        this.memory = memory;
        this.objects = objects;
        cursor = new SectionCursor(memory, objects);
    }

    /** Begins with the first section. @param end where the static section ends */
    void start(int end) {
        cursor.start(end);
    }

    /** The type of the section that is read next, or null behind the last one. @throws IllegalStateException if the message is not read */
    public BasicType<?> nextType() {
        message.requireRead();
        return cursor.type();
    }

    /** The elements that are left in that section; 0 behind the last one. @throws IllegalStateException if the message is not read */
    public int nextCount() {
        message.requireRead();
        return cursor.left();
    }

    /**
     * Leaves out what is left of the section.
     *
     * @throws SectionMismatchException if there is no section left
     * @throws IllegalStateException if the message is not read
     */
    public void skip() {
        message.requireRead();
        if (cursor.type() == null) {
            throw new SectionMismatchException("wanted is a section to leave out; the message has no section left");
        }
        cursor.took(cursor.left());
    }

    private <A> void readSlice(BasicType<A> type, A into, int offset, int count) {
        message.requireRead();
        Elements<A> elements = type.elements();
        Checks.slice("into", elements.length(into), "offset", offset, count);
        cursor.require(type, count);
        elements.get(view(), index(), count, into, offset);
        cursor.took(count);
    }

    private Buffer view() {
        return memory.view(cursor.type(), cursor.order());
    }

    private int index() {
        return cursor.at() / cursor.type().bytes();
    }

    /**
     * Reads the next elements of the section.
     *
     * @param offset the index in the array of the first one
     * @throws IndexOutOfBoundsException if the array has not these places
     * @throws SectionMismatchException if the section has another type, or fewer elements left
     * @throws IllegalStateException if the message is not read
     */
    public void read(byte[] into, int offset, int count) {
        readSlice(BasicType.BYTE, into, offset, count);
    }

    /** Fills the array with the next elements of the section. See {@link #read(byte[], int, int)}. */
    public void read(byte[] into) {
        read(into, 0, into.length);
    }

    /** Reads the next elements of the section. See {@link #read(byte[], int, int)}. */
    public void read(short[] into, int offset, int count) {
        readSlice(BasicType.SHORT, into, offset, count);
    }

    /** Fills the array with the next elements of the section. See {@link #read(byte[], int, int)}. */
    public void read(short[] into) {
        read(into, 0, into.length);
    }

    /** Reads the next elements of the section. See {@link #read(byte[], int, int)}. */
    public void read(char[] into, int offset, int count) {
        readSlice(BasicType.CHAR, into, offset, count);
    }

    /** Fills the array with the next elements of the section. See {@link #read(byte[], int, int)}. */
    public void read(char[] into) {
        read(into, 0, into.length);
    }

    /** Reads the next elements of the section. See {@link #read(byte[], int, int)}. */
    public void read(int[] into, int offset, int count) {
        readSlice(BasicType.INT, into, offset, count);
    }

    /** Fills the array with the next elements of the section. See {@link #read(byte[], int, int)}. */
    public void read(int[] into) {
        read(into, 0, into.length);
    }

    /** Reads the next elements of the section. See {@link #read(byte[], int, int)}. */
    public void read(long[] into, int offset, int count) {
        readSlice(BasicType.LONG, into, offset, count);
    }

    /** Fills the array with the next elements of the section. See {@link #read(byte[], int, int)}. */
    public void read(long[] into) {
        read(into, 0, into.length);
    }

    /** Reads the next elements of the section. See {@link #read(byte[], int, int)}. */
    public void read(float[] into, int offset, int count) {
        readSlice(BasicType.FLOAT, into, offset, count);
    }

    /** Fills the array with the next elements of the section. See {@link #read(byte[], int, int)}. */
    public void read(float[] into) {
        read(into, 0, into.length);
    }

    /** Reads the next elements of the section. See {@link #read(byte[], int, int)}. */
    public void read(double[] into, int offset, int count) {
        readSlice(BasicType.DOUBLE, into, offset, count);
    }

    /** Fills the array with the next elements of the section. See {@link #read(byte[], int, int)}. */
    public void read(double[] into) {
        read(into, 0, into.length);
    }

    /** Reads the next elements of the section. See {@link #read(byte[], int, int)}. */
    public void read(boolean[] into, int offset, int count) {
        readSlice(BasicType.BOOLEAN, into, offset, count);
    }

    /** Fills the array with the next elements of the section. See {@link #read(byte[], int, int)}. */
    public void read(boolean[] into) {
        read(into, 0, into.length);
    }

    /**
     * Reads the next objects of the section. The first such call reads the whole section; if it fails, the program may set another filter
     * and try again, or leave the section out by {@link #skip}.
     *
     * @param offset the index in the array of the first one
     * @throws IndexOutOfBoundsException if the array has not these places
     * @throws SectionMismatchException if the section has another type, or fewer objects left
     * @throws IllegalStateException if the message is not read
     * @throws ArrayStoreException if an object is not of the array's type
     * @throws MalformedMessageException if an object can't be read: the filter has rejected it ({@link PackedMessage#objectFilter}), its
     *             class is not there, its bytes make no sense, or a method of its own has failed. The cause tells
     */
    public void read(Object[] into, int offset, int count) throws MalformedMessageException {
        message.requireRead();
        Checks.slice("into", into.length, "offset", offset, count);
        Object[] all = nextObjects(into, count);
        for (int i = 0; i < count; i++) {
            into[offset + i] = all[objects.taken() + i];
        }
        took(count);
    }

    /** Fills the array with the next objects of the section. See {@link #read(Object[], int, int)}. */
    public void read(Object[] into) throws MalformedMessageException {
        read(into, 0, into.length);
    }

    /** The objects of the section, the next {@code count} of which have the type of an array's elements. */
    private Object[] nextObjects(Object[] into, int count) throws MalformedMessageException {
        cursor.require(BasicType.OBJECT, count);
        Object[] all = objects.peek(cursor.count(), cursor.objectBytes());
        Class<?> element = into.getClass().getComponentType();
        for (int i = objects.taken(); i < objects.taken() + count; i++) {
            if (all[i] != null && !element.isInstance(all[i])) {
                throw new ArrayStoreException("object " + i + " of the section is a " + all[i].getClass().getName() + "; allowed is "
                        + element.getName());
            }
        }
        return all;
    }

    private void took(int count) {
        objects.take(count);
        cursor.took(count);
    }

    /**
     * Reads the next elements of the section and scatters them to the given indexes of an array.
     *
     * @param indexes where the elements go; if an index comes several times, the last element stays
     * @param first the first of the indexes that is used
     * @param count how many of the indexes are used
     * @throws IndexOutOfBoundsException if there are not so many indexes, or one is not in the array
     * @throws IllegalArgumentException if the type is {@link BasicType#OBJECT}
     * @throws SectionMismatchException if the section has another type, or fewer elements left
     * @throws IllegalStateException if the message is not read
     */
    public <A> void scatter(BasicType<A> type, A into, int[] indexes, int first, int count) {
        message.requireRead();
        Elements<A> elements = type.elements();
        Checks.indexes(indexes, first, count, "into", elements.length(into));
        cursor.require(type, count);
        elements.getIndexed(view(), index(), count, into, indexes, first);
        cursor.took(count);
    }

    /** Scatters objects. See {@link #scatter(BasicType, Object, int[], int, int)} and {@link #read(Object[], int, int)}. */
    public void scatter(Object[] into, int[] indexes, int first, int count) throws MalformedMessageException {
        message.requireRead();
        Checks.indexes(indexes, first, count, "into", into.length);
        Object[] all = nextObjects(into, count);
        for (int i = 0; i < count; i++) {
            into[indexes[first + i]] = all[objects.taken() + i];
        }
        took(count);
    }

    /**
     * Reads the next elements of the section and scatters them to a region of several dimensions, as {@link SectionWriter#gatherStrided}
     * has it.
     *
     * @throws IndexOutOfBoundsException if an element is not in the array
     * @throws IllegalArgumentException if shape and strides have different lengths, the shape has a number below 0, there are too many
     *             elements, or the type is {@link BasicType#OBJECT}
     * @throws SectionMismatchException if the section has another type, or fewer elements left
     * @throws IllegalStateException if the message is not read
     */
    public <A> void scatterStrided(BasicType<A> type, A into, int offset, int[] shape, int[] strides) {
        message.requireRead();
        Elements<A> elements = type.elements();
        int count = Checks.region(offset, shape, strides, "into", elements.length(into));
        cursor.require(type, count);
        if (count > 0) {
            Regions.get(memory.elements(type), view(), index(), into, offset, shape, strides, 0);
        }
        cursor.took(count);
    }

    /**
     * Unpacks items of a layout from the section. It need not be the layout by which they were packed, if only the number of elements is
     * right.
     *
     * @param offset the index in the array at which the first item has its offset 0
     * @param count the number of items
     * @throws IndexOutOfBoundsException if an element is not in the array
     * @throws IllegalArgumentException if the count is below 0, or there are too many elements
     * @throws SectionMismatchException if the section has another type, or fewer elements left
     * @throws IllegalStateException if the message is not read
     */
    public <A> void unpack(ArrayLayout<A> layout, A into, int offset, int count) {
        message.requireRead();
        int size = layout.checked(into, "into", offset, count);
        cursor.require(layout.type(), size);
        layout.get(memory.elements(layout.type()), view(), index(), into, offset, count);
        cursor.took(size);
    }

    /**
     * Unpacks records from the next sections, one for each type of their fields.
     *
     * @param into where the records go, in its byte order. Its position has no meaning here and stays
     * @param offset the byte in the buffer at which the first record has its offset 0
     * @param count the number of records: as many as were packed
     * @throws IndexOutOfBoundsException if a field is not in the buffer, below its limit
     * @throws IllegalArgumentException if the count is below 0, or there are too many elements
     * @throws SectionMismatchException if the sections have other types, or another number of elements
     * @throws IllegalStateException if the message is not read
     * @throws ReadOnlyBufferException if the buffer is read-only
     */
    public void unpack(StructLayout layout, ByteBuffer into, int offset, int count) {
        message.requireRead();
        if (into.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        layout.check(into, "into", offset, count);
        cursor.require(layout, count);
        for (int i = 0; i < layout.parts().size(); i++) {
            StructLayout.Part part = layout.parts().get(i);
            layout.get(part, memory.bytes(cursor.order()), cursor.at(), into, offset, count);
            cursor.took(part.size() * count);
        }
    }
}
