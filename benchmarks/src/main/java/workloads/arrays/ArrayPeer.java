package workloads.arrays;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.stream.Stream;
import workloads.Player;
import workloads.Program;

/** Both ends: {@code serve ADDRESS PORT MANNER TYPE} and {@code play ADDRESS PORT MANNER TYPE SIZE,SIZE...}. */
public final class ArrayPeer {
    private ArrayPeer() {}

    public static void main(String[] args) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(args[1]), Integer.parseInt(args[2]));
        Manner manner = Manner.valueOf(args[3]);
        ElementType type = manner == Manner.BYTES ? ElementType.BYTE : ElementType.valueOf(args[4]);
        if (args[0].equals("serve")) {
            Program.endWithParent();
            try (Line line = accept(address, manner)) {
                line.echo(type);
            }
            return;
        }
        List<Integer> sizes = Stream.of(args[5].split(",")).map(Integer::valueOf).toList();
        try (Line line = connect(address, manner)) {
            Player.play(new Sweep(line, type, sizes));
        }
    }

    private static Line accept(InetSocketAddress address, Manner manner) throws IOException {
        if (manner.overChannel()) {
            try (ServerSocketChannel server = ServerSocketChannel.open().bind(address)) {
                Program.ready(server.socket().getLocalPort());
                return new Line(server.accept(), manner);
            }
        }
        try (ServerSocket server = new ServerSocket(address.getPort(), 1, address.getAddress())) {
            Program.ready(server.getLocalPort());
            return new Line(server.accept(), manner, true);
        }
    }

    private static Line connect(InetSocketAddress address, Manner manner) throws IOException {
        return manner.overChannel() ? new Line(SocketChannel.open(address), manner)
                : new Line(new Socket(address.getAddress(), address.getPort()), manner, false);
    }
}
