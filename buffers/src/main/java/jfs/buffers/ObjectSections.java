package jfs.buffers;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectOutputStream;
import jfs.buffers.objects.ObjectBytes;
import jfs.buffers.objects.ObjectReader;

/** The dynamic section of a message: writes and reads the objects of one section after the other. */
final class ObjectSections {

    private final ObjectBytes bytes = new ObjectBytes();
    private ObjectInputFilter filter;
    /** Of the section that is read: where its stream begins, how many objects were taken, and all of them, or null if none was read yet. */
    private int at;
    private int taken;
    private Object[] objects;

    ObjectBytes bytes() {
        return bytes;
    }

    /** What the program allows beside values; null: nothing. */
    void filter(ObjectInputFilter filter) {
        this.filter = filter;
    }

    /**
     * Appends a stream of objects.
     *
     * @param most how many bytes the dynamic section may have
     * @return the bytes of the stream
     * @throws PackOverflowException if it may not have as many. As after all exceptions, nothing is appended then
     */
    int write(Object[] from, int offset, int count, int most) throws IOException {
        int begin = bytes.length();
        boolean done = false;
        bytes.limit(most);
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            for (int i = offset; i < offset + count; i++) {
                out.writeObject(from[i]);
            }
            out.flush();
            if (bytes.overflown()) {
                throw new PackOverflowException("the serialized objects need more than the " + (most - begin)
                        + " bytes that the message may still grow by");
            }
            done = true;
            return bytes.length() - begin;
        } finally {
            if (!done) {
                bytes.cut(begin);
            }
        }
    }

    /** Prepares the reading of the first section. */
    void start() {
        at = 0;
        forget();
    }

    /** Goes on behind a section's stream. */
    void next(int length) {
        at += length;
        forget();
    }

    private void forget() {
        taken = 0;
        objects = null;
    }

    /** Forgets all bytes and objects. */
    void clear() {
        bytes.cut(0);
        start();
    }

    /**
     * The next objects of the section. They are not taken yet.
     *
     * @param all the objects of the section
     * @param length the bytes of its stream
     * @return an array that has them from {@link #taken} on
     * @throws MalformedMessageException if an object can't be read. The next call reads again
     */
    Object[] peek(int all, int length) throws MalformedMessageException {
        if (objects == null) {
            Object[] read = new Object[all];
            int i = 0;
            try (ObjectReader in = new ObjectReader(new ByteArrayInputStream(bytes.array(), at, length), filter, length)) {
                while (i < all) {
                    read[i] = in.readObject();
                    i++;
                }
            } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
                throw new MalformedMessageException("object " + i + " of " + all + " in a section can't be read: " + e, e);
            }
            objects = read;
        }
        return objects;
    }

    int taken() {
        return taken;
    }

    void take(int count) {
        taken += count;
    }
}
