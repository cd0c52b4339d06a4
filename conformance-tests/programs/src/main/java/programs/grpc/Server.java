package programs.grpc;

import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import programs.Console;

/** A gRPC server on Netty's NIO transport. */
public final class Server {

    private Server() {
    }

    /** Writes its port. */
    public static void main(String[] args) throws Exception {
        Console.open();
        Console.sayProvider();
        NioEventLoopGroup threads = new NioEventLoopGroup(2);
        io.grpc.Server server = NettyServerBuilder.forAddress(new InetSocketAddress(Console.address(), 0))
                .channelType(NioServerSocketChannel.class).bossEventLoopGroup(threads).workerEventLoopGroup(threads)
                .addService(Echo.service()).build().start();
        Console.say("port " + server.getPort());
        Console.awaitTold();
        server.shutdown().awaitTermination();
        threads.shutdownGracefully(0, 60, TimeUnit.SECONDS).sync();
        Console.say("stopped");
    }
}
