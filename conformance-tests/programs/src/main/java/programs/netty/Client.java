package programs.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import programs.Bytes;
import programs.Console;

/** A client that sends bytes and HTTP requests, one after the other and many at once, and checks what comes back. */
public final class Client {

    private static final int ONE_BY_ONE = 1000;
    private static final int AT_ONCE = 200;
    private static final int LARGE = 4 << 20;
    private static final int LONGEST_BODY = 8 << 20;

    /** What has come back, in pieces. */
    private final BlockingQueue<byte[]> came = new LinkedBlockingQueue<>();
    private final Channel bytes;
    private final Channel http;

    private Client(NioEventLoopGroup threads, String[] ports) throws InterruptedException {
        bytes = connect(threads, ports[0], new Bodies());
        http = connect(threads, ports[1], new HttpClientCodec(), new HttpObjectAggregator(LONGEST_BODY), new Responses());
    }

    /** Arguments: the port of the bytes, the port of HTTP. */
    public static void main(String[] args) throws Exception {
        Console.open();
        Console.sayProvider();
        NioEventLoopGroup threads = new NioEventLoopGroup(2);
        Client it = new Client(threads, args);
        Console.untilTold(() -> {
            it.echo(10);
            it.ask(10);
            return null;
        });
        for (int i = 0; i < ONE_BY_ONE; i++) {
            it.echo(1 + i * 37 % 3000);
            it.ask(i * 41 % 3000);
        }
        Console.say(ONE_BY_ONE + " came back as bytes, and as bodies");
        it.atOnce();
        it.echo(LARGE);
        it.ask(LARGE);
        Console.say("large ones came back");
        threads.shutdownGracefully(0, 60, TimeUnit.SECONDS).sync();
        Console.say("done");
    }

    private static Channel connect(NioEventLoopGroup threads, String port, ChannelHandler... handlers) throws InterruptedException {
        return new Bootstrap().group(threads).channel(NioSocketChannel.class).handler(new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel connection) {
                connection.pipeline().addLast(handlers);
            }
        }).connect(Console.address(), Integer.parseInt(port)).sync().channel();
    }

    private void echo(int length) throws InterruptedException {
        byte[] expected = Bytes.of(length, length);
        bytes.writeAndFlush(Unpooled.wrappedBuffer(expected));
        check(expected, take(length));
    }

    private void ask(int length) throws InterruptedException {
        byte[] expected = Bytes.of(length, length);
        http.writeAndFlush(request(expected));
        check(expected, next());
    }

    private static DefaultFullHttpRequest request(byte[] body) {
        DefaultFullHttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/",
                Unpooled.wrappedBuffer(body));
        request.headers().set(HttpHeaderNames.HOST, "localhost").set(HttpHeaderNames.CONTENT_LENGTH, body.length);
        return request;
    }

    /** Sends all requests before it waits for the first answer. */
    private void atOnce() throws InterruptedException {
        for (int i = 0; i < AT_ONCE; i++) {
            http.writeAndFlush(request(Bytes.of(i, 50 * i)));
        }
        for (int i = 0; i < AT_ONCE; i++) {
            check(Bytes.of(i, 50 * i), next());
        }
        int length = 0;
        for (int i = 0; i < AT_ONCE; i++) {
            bytes.writeAndFlush(Unpooled.wrappedBuffer(Bytes.of(i, 50 * i)));
            length += 50 * i;
        }
        ByteBuf all = Unpooled.wrappedBuffer(take(length));
        for (int i = 0; i < AT_ONCE; i++) {
            check(Bytes.of(i, 50 * i), ByteBufUtil.getBytes(all.readSlice(50 * i)));
        }
        Console.say(AT_ONCE + " at once came back");
    }

    private byte[] next() throws InterruptedException {
        byte[] next = came.poll(60, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing comes back");
        }
        return next;
    }

    /** Returns that many bytes, in as many pieces as they come. */
    private byte[] take(int length) throws InterruptedException {
        byte[] taken = new byte[length];
        int filled = 0;
        while (filled < length) {
            byte[] next = next();
            System.arraycopy(next, 0, taken, filled, next.length);
            filled += next.length;
        }
        return taken;
    }

    private static void check(byte[] expected, byte[] came) {
        if (!Arrays.equals(expected, came)) {
            throw new AssertionError(Bytes.digest(came) + " instead of " + Bytes.digest(expected));
        }
    }

    private final class Bodies extends SimpleChannelInboundHandler<ByteBuf> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf part) {
            came.add(ByteBufUtil.getBytes(part));
        }
    }

    private final class Responses extends SimpleChannelInboundHandler<FullHttpResponse> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
            came.add(ByteBufUtil.getBytes(response.content()));
        }
    }
}
