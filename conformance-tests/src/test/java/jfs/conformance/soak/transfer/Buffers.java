package jfs.conformance.soak.transfer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The buffers of one read or write: one, or now and then several to scatter into or to gather from; on the heap or outside of it. */
final class Buffers implements AutoCloseable {

    private static final int SEVERAL_ONE_IN = 4;
    private static final int SEVERAL_MAX = 5;
    private static final int DIRECT_BYTES = 16 << 10;
    /** Buffers outside the heap that are not in use. They are kept, because their memory is measured. */
    private static final Queue<ByteBuffer> DIRECT = new ConcurrentLinkedQueue<>();

    private final byte[] array;
    private final ByteBuffer[] buffers;
    /** The places of the buffers in the array. */
    private final int[] starts;

    /**
     * @param array the bytes to write, or the place for those to be read
     * @param length the buffers together are so long
     */
    Buffers(byte[] array, int length, boolean writes, Random random) {
        this.array = array;
        int count = random.nextInt(SEVERAL_ONE_IN) == 0 ? 2 + random.nextInt(SEVERAL_MAX - 1) : 1;
        buffers = new ByteBuffer[count];
        starts = new int[count];
        for (int i = 0, at = 0; i < count; i++) {
            int bytes = i == count - 1 ? length - at : random.nextInt(length - at + 1); // some are empty
            buffers[i] = bytes <= DIRECT_BYTES && random.nextBoolean() ? direct(bytes) : ByteBuffer.wrap(array, at, bytes);
            starts[i] = at;
            if (writes && buffers[i].isDirect()) {
                buffers[i].put(0, array, at, bytes);
            }
            at += bytes;
        }
    }

    private static ByteBuffer direct(int bytes) {
        ByteBuffer kept = DIRECT.poll();
        return (kept == null ? ByteBuffer.allocateDirect(DIRECT_BYTES) : kept).clear().limit(bytes);
    }

    /** One call. The bytes are in the array afterwards. */
    int read(SocketChannel channel) throws IOException {
        long n = buffers.length == 1 ? channel.read(buffers[0]) : channel.read(buffers);
        for (int i = 0; i < buffers.length; i++) {
            if (buffers[i].isDirect()) {
                buffers[i].get(0, array, starts[i], buffers[i].position());
            }
        }
        return (int) n;
    }

    /** One call. */
    void write(SocketChannel channel) throws IOException {
        if (buffers.length == 1) {
            channel.write(buffers[0]);
        } else {
            channel.write(buffers);
        }
    }

    boolean hasRemaining() {
        for (ByteBuffer buffer : buffers) {
            if (buffer.hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    /** Called when nobody uses the buffers any more. */
    @Override
    public void close() {
        for (ByteBuffer buffer : buffers) {
            if (buffer.isDirect()) {
                DIRECT.add(buffer);
            }
        }
    }
}
