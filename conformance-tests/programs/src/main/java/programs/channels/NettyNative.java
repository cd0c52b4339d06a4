package programs.channels;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import programs.Console;

/** The same as {@link Netty}, on Netty's own transport where that is available, as most programs with Netty choose it. */
public final class NettyNative {

    private NettyNative() {
    }

    public static void main(String[] args) throws Exception {
        Console.open();
        boolean epoll = Epoll.isAvailable();
        Console.say(epoll ? "epoll" : "nio");
        if (epoll) {
            Netty.talk(new EpollEventLoopGroup(2), EpollServerSocketChannel.class, EpollSocketChannel.class);
        } else {
            Netty.talk(new NioEventLoopGroup(2), NioServerSocketChannel.class, NioSocketChannel.class);
        }
        System.exit(0);
    }
}
