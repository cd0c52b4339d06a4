package jfs.buffers;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.WritableByteChannel;
import jfs.buffers.objects.ObjectBytes;

/** Moves the bytes of a message between its memory and a channel or a stream. */
final class MessageTransfer {

    private static final int CHUNK = 16 * 1024;
    /**
     * The most bytes of objects in one call. A channel of the JDK copies what comes from the heap, or goes there, through direct memory
     * of the same size, which its thread keeps.
     */
    private static final int OBJECT_BYTES = 64 * 1024;

    private final MessageMemory memory;
    /** What streams of java.io take and give. Null until there was one. */
    private byte[] chunk;

    MessageTransfer(MessageMemory memory) {
        this.memory = memory;
    }

    private byte[] chunk() {
        if (chunk == null) {
            chunk = new byte[CHUNK];
        }
        return chunk;
    }

    private static void requireBlocking(Object channel) {
        if (channel instanceof SelectableChannel selectable && !selectable.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
    }

    void write(WritableByteChannel channel, int staticEnd, ObjectBytes objects) throws IOException {
        requireBlocking(channel);
        ByteBuffer part = memory.part(0, staticEnd);
        ByteBuffer rest = ByteBuffer.wrap(objects.array(), 0, Math.min(OBJECT_BYTES, objects.length()));
        if (rest.hasRemaining() && channel instanceof GatheringByteChannel gathering) {
            ByteBuffer[] both = {part, rest};
            while (part.hasRemaining()) {
                gathering.write(both);
            }
        }
        while (part.hasRemaining()) {
            channel.write(part);
        }
        while (rest.position() < objects.length()) {
            rest.limit(rest.position() + Math.min(OBJECT_BYTES, objects.length() - rest.position()));
            channel.write(rest);
        }
    }

    void write(OutputStream out, int staticEnd, ObjectBytes objects) throws IOException {
        ByteBuffer bytes = memory.bytes(MessageFormat.BIG);
        for (int at = 0; at < staticEnd; at += CHUNK) {
            int length = Math.min(CHUNK, staticEnd - at);
            bytes.get(at, chunk(), 0, length);
            out.write(chunk, 0, length);
        }
        for (int at = 0; at < objects.length(); at += OBJECT_BYTES) { // the stream may be that of a channel
            out.write(objects.array(), at, Math.min(OBJECT_BYTES, objects.length() - at));
        }
    }

    /** Where the bytes of a message come from. */
    private interface Source {

        /** Reads at most {@code length} bytes. @return how many, -1 at the end of the stream */
        int toMemory(int at, int length) throws IOException;

        /** Reads at most {@code length} bytes. @return how many, -1 at the end of the stream */
        int toArray(byte[] into, int at, int length) throws IOException;
    }

    boolean read(ReadableByteChannel channel, int most, ObjectBytes objects) throws IOException {
        requireBlocking(channel);
        return read(new Source() {
            @Override
            public int toMemory(int at, int length) throws IOException {
                return channel.read(memory.part(at, at + length));
            }

            @Override
            public int toArray(byte[] into, int at, int length) throws IOException {
                return channel.read(ByteBuffer.wrap(into, at, length));
            }
        }, most, objects);
    }

    boolean read(InputStream in, int most, ObjectBytes objects) throws IOException {
        return read(new Source() {
            @Override
            public int toMemory(int at, int length) throws IOException {
                int n = in.read(chunk(), 0, Math.min(CHUNK, length));
                if (n > 0) {
                    memory.bytes(MessageFormat.BIG).put(at, chunk, 0, n);
                }
                return n;
            }

            @Override
            public int toArray(byte[] into, int at, int length) throws IOException {
                return in.read(into, at, length);
            }
        }, most, objects);
    }

    /** @return whether there was a message; if not, the stream has ended */
    private boolean read(Source source, int most, ObjectBytes objects) throws IOException {
        int prefix = 0;
        while (prefix < MessageFormat.PREFIX) {
            int n = source.toMemory(prefix, MessageFormat.PREFIX - prefix);
            if (n < 0) {
                if (prefix == 0) {
                    return false;
                }
                throw ended(prefix, MessageFormat.PREFIX);
            }
            prefix += n;
        }
        ByteBuffer big = memory.bytes(MessageFormat.BIG);
        MessageFormat.checkPrefix(big, most);
        int end = MessageFormat.PREFIX + big.getInt(MessageFormat.STATIC);
        int dynamicBytes = big.getInt(MessageFormat.DYNAMIC);
        if (end > memory.capacity()) {
            memory.grow(end, MessageFormat.PREFIX);
        }
        for (int at = MessageFormat.PREFIX; at < end;) {
            int n = source.toMemory(at, end - at);
            if (n < 0) {
                throw ended(at, end + (long) dynamicBytes);
            }
            at += n;
        }
        objects.limit(dynamicBytes);
        while (objects.length() < dynamicBytes) {
            int room = objects.roomFor(Math.min(OBJECT_BYTES, dynamicBytes - objects.length()));
            int n = source.toArray(objects.array(), objects.length(), room);
            if (n < 0) {
                throw ended(end + (long) objects.length(), end + (long) dynamicBytes);
            }
            objects.added(n);
        }
        MessageFormat.checkSections(memory.inBothOrders());
        return true;
    }

    private static EOFException ended(long bytes, long all) {
        return new EOFException("the stream has ended after " + bytes + " of at least " + all + " bytes of a message");
    }
}
