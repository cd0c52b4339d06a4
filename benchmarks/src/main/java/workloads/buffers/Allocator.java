package workloads.buffers;

import java.nio.ByteBuffer;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/** A way to get buffers. */
interface Allocator {

    /** Allocates a buffer, writes its first byte, and gives it back. Any thread calls it, with a place of its own. */
    void once(int bytes, Place place);

    /** Makes the threads that allocate. */
    default ThreadFactory threads() {
        return Executors.defaultThreadFactory();
    }

    /** Where a thread puts each buffer, so that a compiler can't leave the allocation out. */
    final class Place {
        Object held;
    }

    /** @param name as on the command line */
    static Allocator of(String name) {
        return switch (name) {
            case "direct" -> (bytes, place) -> hold(ByteBuffer.allocateDirect(bytes), place);
            case "heap" -> (bytes, place) -> hold(ByteBuffer.allocate(bytes), place);
            case "netty" -> new NettyPool();
            default -> JfsPool.of(name);
        };
    }

    private static void hold(ByteBuffer buffer, Place place) {
        buffer.put(0, (byte) 1);
        place.held = buffer; // the former one is garbage from now on
    }
}
