package sun.nio.ch;

import java.io.IOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.spi.JfsEnd;

/** What scattering reads and gathering writes do with their buffers. */
final class JfsBuffers {

    /** The most bytes of several buffers that are copied together. */
    private static final int GATHERED_MAX = 8 << 10;
    private static final long ARENA = JfsStream.UNSAFE.objectFieldOffset(Buffer.class, "segment");
    private static final long FILE = JfsStream.UNSAFE.objectFieldOffset(MappedByteBuffer.class, "fd");

    private JfsBuffers() {
    }

    /** @return -1 if there is none */
    static int indexOfNull(ByteBuffer[] buffers, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (buffers[i] == null) {
                return i;
            }
        }
        return -1;
    }

    /** Whether there is room, and no buffer that the JDK would refuse. */
    static boolean haveRoom(ByteBuffer[] to, int offset, int length) {
        boolean room = false;
        for (int i = offset; i < offset + length; i++) {
            if (to[i].isReadOnly()) {
                return false;
            }
            room |= to[i].hasRemaining();
        }
        return room;
    }

    static long remaining(ByteBuffer[] buffers, int offset, int length) {
        long bytes = 0;
        for (int i = offset; i < offset + length; i++) {
            bytes += buffers[i].remaining();
        }
        return bytes;
    }

    static int[] positions(ByteBuffer[] buffers, int offset, int length) {
        int[] positions = new int[length];
        for (int i = 0; i < length; i++) {
            positions[i] = buffers[offset + i].position();
        }
        return positions;
    }

    /** Tells an end of the bytes that the JDK has read into these buffers, which had these positions before. */
    static void received(JfsEnd end, ByteBuffer[] into, int offset, int[] before) {
        for (int i = 0; i < before.length; i++) {
            int bytes = into[offset + i].position() - before[i];
            if (bytes > 0) {
                end.received(into[offset + i], bytes);
            }
        }
    }

    /**
     * Keeps the memory of a buffer from being freed during a read or write, as the JDK's reads and writes do: meanwhile a close of its
     * shared arena throws.
     *
     * @return what ends that; null if there is nothing to end
     * @throws RuntimeException if the arena is closed, or belongs to another thread
     */
    private static Runnable hold(ByteBuffer buffer) {
        if (JfsStream.UNSAFE.getReference(buffer, ARENA) == null) {
            return null;
        }
        try {
            return IOUtil.acquireScopes(buffer, null);
        } catch (IllegalStateException e) { // it is closed, or is confined to one thread
            if (buffer.hasRemaining()) {
                requireUsable(buffer); // if this thread may use it, only this thread can close it
                return null;
            }
            throw e;
        }
    }

    /** Throws if this thread may not use the buffer's memory. Touches none of a mapped file, of which a part may have been cut off. */
    private static void requireUsable(ByteBuffer buffer) {
        if (isMapped(buffer)) {
            ((MappedByteBuffer) buffer.slice(buffer.position(), 1)).isLoaded();
        } else {
            buffer.get(buffer.position());
        }
    }

    /** The same for several buffers. */
    private static Runnable[] hold(ByteBuffer[] buffers, int offset, int length) {
        Runnable[] held = null;
        for (int i = 0; i < length; i++) {
            ByteBuffer buffer = buffers[offset + i];
            if (buffer.hasRemaining() && JfsStream.UNSAFE.getReference(buffer, ARENA) != null) {
                if (held == null) {
                    held = new Runnable[length];
                }
                try {
                    held[i] = hold(buffer);
                } catch (RuntimeException e) {
                    release(held);
                    throw e;
                }
            }
        }
        return held;
    }

    private static void release(Runnable[] held) {
        if (held != null) {
            for (Runnable each : held) {
                IOUtil.releaseScopes(each);
            }
        }
    }

    /** Writes one buffer by the path. */
    static int write(JfsStream to, JfsEnd end, ByteBuffer from) throws IOException {
        Runnable held = hold(from);
        try {
            return to.writeByPath(end, from);
        } finally {
            IOUtil.releaseScopes(held);
        }
    }

    /** Reads by the path into a buffer that has room. @param waits whether to wait for the first byte */
    static int fill(JfsEnd end, ByteBuffer to, boolean waits) throws IOException {
        Runnable held = hold(to);
        try {
            return end.read(to, waits);
        } finally {
            IOUtil.releaseScopes(held);
        }
    }

    /** Reads by the path into one buffer after the other. @param waits whether to wait for the first byte */
    static long fill(JfsEnd end, ByteBuffer[] to, int offset, int length, boolean waits) throws IOException {
        Runnable[] held = hold(to, offset, length);
        try {
            return fillHeld(end, to, offset, length, waits);
        } finally {
            release(held);
        }
    }

    private static long fillHeld(JfsEnd end, ByteBuffer[] to, int offset, int length, boolean waits) throws IOException {
        long total = 0;
        for (int i = offset; i < offset + length; i++) {
            if (!to[i].hasRemaining()) {
                continue;
            }
            int n;
            try {
                n = end.read(to[i], waits && total == 0);
            } catch (IOException e) {
                if (total == 0) {
                    throw e;
                }
                return total; // the next read throws
            }
            if (n < 0 && total == 0) {
                return n;
            }
            total += Math.max(n, 0);
            if (to[i].hasRemaining()) {
                break;
            }
        }
        return total;
    }

    /** Writes by the path what the buffers have. Few bytes are copied together, so that the peer gets them at once. */
    static long drain(JfsStream to, JfsEnd end, ByteBuffer[] from, int offset, int length) throws IOException {
        Runnable[] held = hold(from, offset, length);
        try {
            return drainHeld(to, end, from, offset, length);
        } finally {
            release(held);
        }
    }

    private static long drainHeld(JfsStream to, JfsEnd end, ByteBuffer[] from, int offset, int length) throws IOException {
        long bytes = remaining(from, offset, length);
        if (bytes <= GATHERED_MAX && !areMapped(from, offset, length)) {
            int taken = to.writeByPath(end, copy(from, offset, length, (int) bytes));
            advance(from, offset, length, taken);
            return taken;
        }
        long total = 0;
        for (int i = offset; i < offset + length; i++) {
            if (from[i].hasRemaining()) {
                try {
                    total += to.writeByPath(end, from[i]);
                } catch (IOException e) {
                    if (total == 0 || e instanceof ClosedByInterruptException) {
                        throw e;
                    }
                    end.failLater(e);
                    return total;
                }
                if (from[i].hasRemaining()) {
                    break;
                }
            }
        }
        return total;
    }

    /** Whether the buffer is of a mapped file. All direct buffers are of that class, but only those of files have a descriptor. */
    static boolean isMapped(ByteBuffer buffer) {
        return buffer instanceof MappedByteBuffer && JfsStream.UNSAFE.getReference(buffer, FILE) != null;
    }

    private static boolean areMapped(ByteBuffer[] buffers, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (isMapped(buffers[i])) {
                return true;
            }
        }
        return false;
    }

    /** The bytes of all buffers, whose positions stay. */
    private static ByteBuffer copy(ByteBuffer[] from, int offset, int length, int bytes) {
        ByteBuffer all = ByteBuffer.allocate(bytes);
        for (int i = offset; i < offset + length; i++) {
            all.put(from[i].duplicate());
        }
        return all.flip();
    }

    /** Moves the positions behind so many bytes. */
    private static void advance(ByteBuffer[] from, int offset, int length, int bytes) {
        int left = bytes;
        for (int i = offset; i < offset + length && left > 0; i++) {
            int of = Math.min(left, from[i].remaining());
            from[i].position(from[i].position() + of);
            left -= of;
        }
    }
}
