package programs.channels;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import programs.Bytes;
import programs.Console;

/** An echo server and its client on Netty; their connection is still open when the program ends. */
public final class Netty {

    private static final int LENGTH = 1 << 20;

    private Netty() {
    }

    public static void main(String[] args) throws Exception {
        Console.open();
        talk(new NioEventLoopGroup(2), NioServerSocketChannel.class, NioSocketChannel.class);
        System.exit(0);
    }

    /** Sends bytes to and fro. The connection and the threads are left. */
    static void talk(EventLoopGroup threads, Class<? extends ServerChannel> listening, Class<? extends Channel> connecting)
            throws Exception {
        Channel server = new ServerBootstrap().group(threads).channel(listening)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel connection) {
                        connection.pipeline().addLast(new Echo());
                    }
                }).bind(InetAddress.getLoopbackAddress(), 0).sync().channel();
        Collector collector = new Collector();
        Channel client = new Bootstrap().group(threads).channel(connecting).handler(collector)
                .connect(server.localAddress()).sync().channel();
        client.writeAndFlush(Unpooled.wrappedBuffer(Bytes.of(1, LENGTH)));
        Console.say(Bytes.digest(collector.all.get(20, TimeUnit.SECONDS)));
    }

    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.writeAndFlush(message);
        }
    }

    private static final class Collector extends SimpleChannelInboundHandler<ByteBuf> {
        final CompletableFuture<byte[]> all = new CompletableFuture<>();
        private final byte[] bytes = new byte[LENGTH];
        private int length;

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf part) {
            int more = part.readableBytes();
            part.readBytes(bytes, length, more);
            length += more;
            if (length == LENGTH) {
                all.complete(bytes);
            }
        }
    }
}
