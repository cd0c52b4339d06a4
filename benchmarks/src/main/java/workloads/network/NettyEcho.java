package workloads.network;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Phaser;
import workloads.Player;

/**
 * Netty with its transport over {@code java.nio} at both ends, with two event loops each. Each connection sends a message and waits for its
 * echo, again and again. The event loops do all of that, so the client's threads of {@link Client} are not used.
 */
final class NettyEcho implements Subject {
    private static final int BYTES = 64;
    private static final int LOOPS = 2;

    @Override
    public int serve(int port) throws InterruptedException {
        Channel listening = new ServerBootstrap()
                .group(new NioEventLoopGroup(1), new NioEventLoopGroup(LOOPS))
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(handler(Echo::new))
                .bind(HOST, port)
                .sync()
                .channel();
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    @Override
    public Player.Measured client(String operation, int connections, int port) {
        if (!operation.equals("echo")) {
            throw Subject.unknown(operation);
        }
        return new Conversations(connections, port);
    }

    /** Makes the handler of one connection. */
    private interface Handlers {
        ChannelInboundHandlerAdapter make();
    }

    private static ChannelInitializer<SocketChannel> handler(Handlers handlers) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                channel.pipeline().addLast(handlers.make());
            }
        };
    }

    /** The server's end of a connection. */
    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.write(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            cause.printStackTrace();
            context.close();
        }
    }

    /** The client: all connections talk during a turn. They connect in the first turn. */
    private static final class Conversations implements Player.Measured {
        private final Conversation[] all;
        private final int port;
        /** The main thread and all connections arrive at the end of a turn. */
        private final Phaser turn;
        private volatile long end;

        Conversations(int connections, int port) {
            this.port = port;
            all = new Conversation[connections];
            turn = new Phaser(connections + 1);
        }

        @Override
        public void warm(double nanos) throws IOException {
            talk(nanos);
        }

        @Override
        public Map<String, Double> turn(double seconds, int trials) throws IOException {
            long from = System.nanoTime();
            talk(seconds * 1e9);
            double nanos = System.nanoTime() - from;
            long rounds = 0;
            for (Conversation one : all) {
                rounds += one.rounds;
            }
            return Map.of("rounds", (double) rounds, "nanos", nanos);
        }

        private void talk(double nanos) throws IOException {
            end = System.nanoTime() + (long) nanos;
            if (all[0] == null) {
                connect();
            }
            for (Conversation one : all) {
                one.context.executor().execute(one::begin);
            }
            turn.arriveAndAwaitAdvance();
        }

        private void connect() throws IOException {
            Bootstrap bootstrap = new Bootstrap()
                    .group(new NioEventLoopGroup(LOOPS))
                    .channel(NioSocketChannel.class)
                    .option(ChannelOption.TCP_NODELAY, true)
                    .handler(handler(() -> new Conversation(this)));
            try {
                for (int i = 0; i < all.length; i++) {
                    Channel channel = bootstrap.connect(HOST, port).sync().channel();
                    all[i] = channel.pipeline().get(Conversation.class);
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    /** The client's end of a connection. Only its event loop calls it. */
    private static final class Conversation extends ChannelInboundHandlerAdapter {
        private final Conversations of;
        private final byte[] sent = new byte[BYTES];
        private final byte[] received = new byte[BYTES];
        private ChannelHandlerContext context;
        private int arrived;
        private long count;
        private long rounds; // in this turn; the main thread reads it after the turn

        Conversation(Conversations of) {
            this.of = of;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            this.context = context;
        }

        private void begin() {
            rounds = 0;
            send();
        }

        private void send() {
            arrived = 0;
            count++;
            for (int i = 0; i < Long.BYTES; i++) {
                sent[i] = (byte) (count >> 8 * i);
            }
            context.writeAndFlush(context.alloc().buffer(BYTES).writeBytes(sent), context.voidPromise());
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            try {
                int some = bytes.readableBytes();
                bytes.readBytes(received, arrived, some);
                arrived += some;
            } finally {
                bytes.release();
            }
            if (arrived < BYTES) {
                return;
            }
            Subject.expect(Arrays.equals(sent, received));
            rounds++;
            if (System.nanoTime() < of.end) {
                send();
            } else {
                of.turn.arrive();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            exceptionCaught(context, new IOException("the server has closed the connection"));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            cause.printStackTrace();
            Runtime.getRuntime().halt(1); // the main thread would wait for this connection
        }
    }
}
