package workloads.arrays;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Arrays come back as they were sent, in each way and of each type. */
@Timeout(30)
class MannersTest {
    /** Below and above the sizes from which on a conversion does otherwise, and above a piece of the claims. */
    private static final List<Integer> SIZES = List.of(8, 504, 4096, 20_000, 100_000);

    static Stream<Arguments> mannersAndTypes() {
        return Stream.of(Manner.values()).flatMap(manner -> Stream.of(ElementType.values())
                .filter(type -> manner.has(type) && (manner != Manner.BYTES || type == ElementType.BYTE))
                .map(type -> Arguments.of(manner, type)));
    }

    @ParameterizedTest
    @MethodSource("mannersAndTypes")
    void anArrayComesBack(Manner manner, ElementType type) throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocketChannel channels = ServerSocketChannel.open().bind(new InetSocketAddress(loopback, 0));
                ServerSocket sockets = new ServerSocket(0, 1, loopback)) {
            FutureTask<Void> server = new FutureTask<>(() -> {
                try (Line line = manner.overChannel() ? new Line(channels.accept(), manner)
                        : new Line(sockets.accept(), manner, true)) {
                    line.echo(type);
                }
                return null;
            });
            new Thread(server, "server").start();
            try (Line line = manner.overChannel() ? new Line(SocketChannel.open(channels.getLocalAddress()), manner)
                    : new Line(new Socket(loopback, sockets.getLocalPort()), manner, false)) {
                for (int bytes : SIZES) {
                    thereAndBack(line, manner, type, bytes);
                }
            }
            assertDoesNotThrow(() -> server.get(10, TimeUnit.SECONDS));
        }
    }

    /** A message that is computed is checked by its receiver, and the array is not used. */
    private static void thereAndBack(Line line, Manner manner, ElementType type, int bytes) throws IOException {
        Elements sent = type.ofBytes(bytes);
        sent.fill(new Random(bytes));
        Elements message = type.ofBytes(bytes);
        line.announce(bytes, 3);
        for (int i = 0; i < 3; i++) {
            line.transfer().send(sent);
            line.transfer().receive(message);
            assertTrue(manner.computes() || message.isSameAs(sent), () -> bytes + " bytes");
        }
    }
}
