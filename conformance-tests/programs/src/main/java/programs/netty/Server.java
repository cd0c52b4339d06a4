package programs.netty;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import programs.Console;

/** A server that sends back what it gets: the bytes of a connection, or the bodies of HTTP requests. */
public final class Server {

    private static final int LONGEST_BODY = 8 << 20;

    private Server() {
    }

    /** Writes two ports: of the bytes, of HTTP. */
    public static void main(String[] args) throws Exception {
        Console.open();
        Console.sayProvider();
        NioEventLoopGroup threads = new NioEventLoopGroup(2);
        Channel echo = listen(threads, () -> new ChannelHandler[] {new Echo()});
        Channel http = listen(threads,
                () -> new ChannelHandler[] {new HttpServerCodec(), new HttpObjectAggregator(LONGEST_BODY), new HttpEcho()});
        Console.say("port " + port(echo) + " " + port(http));
        Console.awaitTold();
        threads.shutdownGracefully(0, 60, TimeUnit.SECONDS).sync();
        Console.say("stopped");
    }

    private static Channel listen(NioEventLoopGroup threads, Supplier<ChannelHandler[]> handlers) throws InterruptedException {
        return new ServerBootstrap().group(threads).channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel connection) {
                        connection.pipeline().addLast(handlers.get());
                    }
                }).bind(Console.address(), 0).sync().channel();
    }

    private static int port(Channel channel) {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.write(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        /** Reads no more while the client does not take what was written. */
        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            context.channel().config().setAutoRead(context.channel().isWritable());
        }
    }

    private static final class HttpEcho extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            ByteBuf body = Unpooled.copiedBuffer(request.content());
            FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body);
            response.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
            context.writeAndFlush(response);
        }
    }
}
