package jfs.buffers.objects;

import java.io.OutputStream;
import java.util.Arrays;

/** The bytes of a message's dynamic section: an array that grows up to a limit. */
public final class ObjectBytes extends OutputStream {

    private static final int LEAST = 8192;

    private byte[] bytes = {};
    private int length;
    private int most;
    private boolean overflown;

    /** Sets how many bytes there may be. */
    public void limit(int most) {
        this.most = most;
    }

    /** The number of bytes. */
    public int length() {
        return length;
    }

    /** Forgets the bytes from {@code length} on. */
    public void cut(int length) {
        this.length = length;
        overflown = false;
    }

    /** The array. It is another one after the bytes have grown. */
    public byte[] array() {
        return bytes;
    }

    /**
     * Makes room for bytes to come, but at most for as many as are there already, or for a few: who announces many bytes and does not send
     * them gets no memory for them.
     *
     * @param wanted how many bytes are to come
     * @return for how many of them there is room behind {@link #length}
     */
    public int roomFor(int wanted) {
        int room = Math.min(wanted, Math.max(length, LEAST));
        grow(room);
        return room;
    }

    /** Counts bytes that the caller has stored in the array, behind {@link #length}. */
    public void added(int count) {
        length += count;
    }

    private void grow(int more) {
        if (length + (long) more > bytes.length) {
            long size = Math.max(length + (long) more, Math.min(most, Math.max(LEAST, bytes.length * 2L)));
            bytes = Arrays.copyOf(bytes, (int) size);
        }
    }

    /** Whether bytes were written for which there was no room. They were not kept. {@link #cut} forgets that. */
    public boolean overflown() {
        return overflown;
    }

    /**
     * Without an exception, because {@link java.io.ObjectOutputStream} writes its own exceptions too: that an object is not serializable
     * would otherwise become that there is no room.
     */
    private boolean hasRoom(int more) {
        overflown |= length + (long) more > most;
        return !overflown;
    }

    @Override
    public void write(int b) {
        if (hasRoom(1)) {
            grow(1);
            bytes[length++] = (byte) b;
        }
    }

    @Override
    public void write(byte[] from, int offset, int count) {
        if (hasRoom(count)) {
            grow(count);
            System.arraycopy(from, offset, bytes, length, count);
            length += count;
        }
    }
}
