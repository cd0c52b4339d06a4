package workloads.buffers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ThreadFactory;

/** Netty's pool as it is, in threads of Netty's: by default only these have caches of their own. */
final class NettyPool implements Allocator {

    @Override
    public void once(int bytes, Place place) {
        ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(bytes);
        buffer.setByte(0, 1);
        place.held = buffer;
        buffer.release();
    }

    @Override
    public ThreadFactory threads() {
        return new DefaultThreadFactory("netty");
    }
}
