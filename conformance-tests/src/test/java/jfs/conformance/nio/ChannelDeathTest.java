package jfs.conformance.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import jfs.conformance.harness.Transcript;
import jfs.stat.Stats;
import jfs.testing.Await;
import jfs.testing.Background;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The death of a process makes the keys of its peers ready as with the JDK's channels. */
@Tag("channels")
class ChannelDeathTest {

    private static final int MUCH = 16 << 20;

    @ParameterizedTest
    @CsvSource({"1,false", "4,true", "5,false", "5,true"})
    void aKilledPeerMakesAKeyReadyInTheSameWay(int ops, boolean full) throws Exception {
        Transcript.assertSame(run(Provider.JDK, ops, full), run(Provider.JFS, ops, full));
    }

    /** @param full whether the killed process has bytes that it has not read, as many as there is room for */
    private static String run(Provider provider, int ops, boolean full) throws Exception {
        Transcript seen = new Transcript();
        try (ServerSocketChannel server = Connected.listening(provider.get()); Selector selector = provider.get().openSelector()) {
            long[] before = Connected.counters();
            Process process = peer(provider, Connected.port(server.getLocalAddress()));
            try (SocketChannel channel = server.accept()) {
                roundTrip(channel, (byte) 1);
                if (provider == Provider.JFS) {
                    Await.until(() -> "both directions switch: " + Stats.summary(), () -> {
                        roundTrip(channel, (byte) 2);
                        long[] now = Connected.counters();
                        return now[0] > before[0] && now[1] > before[1];
                    });
                }
                roundTrip(channel, EchoPeer.STOP);
                channel.configureBlocking(false);
                for (int n = full ? 1 : 0, all = 0; n > 0; all += n) {
                    n = channel.write(ByteBuffer.allocate(8 << 10));
                    assertEquals(true, all < MUCH, "it is never full");
                }
                SelectionKey key = channel.register(selector, ops);
                Background<Integer> selecting = Background.call(() -> {
                    int n;
                    do { // a key that is writable is ready before the death
                        selector.selectedKeys().clear();
                        n = selector.select();
                    } while (key.readyOps() == SelectionKey.OP_WRITE && ops != SelectionKey.OP_WRITE);
                    return n;
                });
                if (full || ops == SelectionKey.OP_READ) {
                    selecting.blocked();
                }
                process.destroyForcibly().waitFor();
                seen.see("select", selecting);
                Await.until(() -> "ready for " + ops + ", not only " + key.readyOps(), () -> {
                    selector.selectNow();
                    return key.readyOps() == ops;
                });
                if (!full) { // a process that is killed with unread bytes is a known difference
                    seen.see("read", () -> channel.read(ByteBuffer.allocate(1)));
                }
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
        return seen.toString();
    }

    private static void roundTrip(SocketChannel channel, byte value) throws Exception {
        channel.write(ByteBuffer.wrap(new byte[] {value}));
        assertEquals(value, Connected.read(channel, 1)[0]);
    }

    private static Process peer(Provider provider, int port) throws Exception {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-cp",
                System.getProperty("java.class.path"), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED",
                "-Djfs.nio=on"));
        for (String name : List.of("jfs.native.dir", "jfs.transport")) {
            if (System.getProperty(name) != null) {
                command.add("-D" + name + "=" + System.getProperty(name));
            }
        }
        command.addAll(List.of(EchoPeer.class.getName(), provider.name(), Integer.toString(port)));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    }
}
