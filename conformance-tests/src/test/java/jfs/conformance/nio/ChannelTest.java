package jfs.conformance.nio;

import static jfs.conformance.nio.Connected.port;
import static jfs.conformance.nio.Connected.read;
import static jfs.conformance.nio.Connected.write;
import static jfs.conformance.nio.Provider.assertSame;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.FileChannel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import jfs.testing.Background;
import jfs.testing.VirtualThreads;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A program can't tell JFS's TCP channels from the JDK's. */
@Tag("channels")
@SuppressWarnings("try") // a program closes before its end, too
class ChannelTest {

    /** More than the kernel keeps for a reader that does not read. */
    private static final int MUCH = 16 << 20;

    @TempDir
    static Path folder;

    private static ByteBuffer bytes(int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        for (int i = 0; i < length; i++) {
            bytes.put(i, (byte) (i * 31 + i / 256));
        }
        return bytes;
    }

    @Test
    void connectingIsTheSame() throws Exception {
        assertSame((provider, seen) -> {
            try (ServerSocketChannel server = Connected.listening(provider); SocketChannel client = provider.openSocketChannel()) {
                seen.port("server", port(server.getLocalAddress()));
                seen.see("before", client::toString).see("connected", client::isConnected).see("local", client::getLocalAddress)
                        .see("remote", client::getRemoteAddress).see("read", () -> client.read(bytes(1)))
                        .see("write", () -> client.write(bytes(1))).see("shut", client::shutdownOutput)
                        .see("finish", client::finishConnect).see("unresolved",
                                () -> client.connect(InetSocketAddress.createUnresolved("nowhere.invalid", 1)));
            }
            try (ServerSocketChannel server = Connected.listening(provider); SocketChannel client = provider.openSocketChannel()) {
                seen.port("server", port(server.getLocalAddress()));
                client.configureBlocking(false);
                client.connect(server.getLocalAddress());
                try (SocketChannel accepted = server.accept()) {
                    seen.see("finished", client::finishConnect).port("client", port(client.getLocalAddress()))
                            .see("pending", client::isConnectionPending).see("connected", client::toString)
                            .see("accepted", accepted::toString).see("again", () -> client.connect(server.getLocalAddress()))
                            .see("blocking", accepted::isBlocking)
                            .see("adaptor", () -> client.socket().toString()).see("adaptor", () -> accepted.socket().toString())
                            .see("same adaptor", () -> client.socket() == client.socket())
                            .see("provider", () -> accepted.provider() == provider && client.provider() == provider)
                            .see("ops", accepted::validOps).see("local", accepted::getLocalAddress)
                            .see("remote", accepted::getRemoteAddress);
                    accepted.close();
                    seen.see("closed", accepted::toString).see("address", accepted::getLocalAddress)
                            .see("socket", () -> accepted.socket().toString());
                }
            }
        });
    }

    @Test
    void aRefusedConnectionIsTheSame() throws Exception {
        assertSame((provider, seen) -> {
            ServerSocketChannel closed = Connected.listening(provider);
            InetSocketAddress nowhere = (InetSocketAddress) closed.getLocalAddress();
            closed.close();
            seen.port("nowhere", nowhere.getPort());
            try (SocketChannel client = provider.openSocketChannel()) {
                seen.see("connect", () -> client.connect(nowhere)).see("open", client::isOpen);
            }
            try (SocketChannel client = provider.openSocketChannel()) {
                seen.see("by the adaptor", () -> client.socket().connect(nowhere, 60_000)).see("open", client::isOpen);
            }
        });
    }

    @Test
    void aListenerIsTheSame() throws Exception {
        assertSame((provider, seen) -> {
            try (ServerSocketChannel server = provider.openServerSocketChannel()) {
                seen.see("unbound", server::toString).see("accept", server::accept).see("socket", () -> server.socket().toString())
                        .see("ops", server::validOps);
                server.bind(new InetSocketAddress("127.0.0.1", 0), 5);
                seen.port("server", port(server.getLocalAddress()));
                seen.see("bound", server::toString).see("again", () -> server.bind(null)).see("address", server::getLocalAddress)
                        .see("socket", () -> server.socket().toString());
                server.socket().setSoTimeout(1);
                seen.see("timeout", () -> server.socket().accept());
                server.configureBlocking(false);
                seen.see("nothing", server::accept).see("adaptor", () -> server.socket().accept());
                server.close();
                seen.see("closed", server::toString).see("accept", server::accept);
                server.close();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void optionsAreTheSame(Beginning beginning) throws Exception {
        assertSame((provider, seen) -> {
            try (Connected it = beginning.connect(provider)) {
                for (NetworkChannel channel : List.of(it.client(), it.accepted(), it.server())) {
                    TreeMap<String, SocketOption<?>> options = new TreeMap<>();
                    channel.supportedOptions().forEach(option -> options.put(option.name(), option));
                    seen.line(options.keySet().toString());
                    if (beginning == Beginning.FAST) { // the kernel changes it while bytes go over TCP
                        options.remove("TCP_QUICKACK");
                    }
                    options.forEach((name, option) -> seen.see(name, () -> channel.getOption(option)));
                    seen.see("set", () -> channel.setOption(StandardSocketOptions.SO_RCVBUF, 20_000) == channel)
                            .see("set", () -> channel.getOption(StandardSocketOptions.SO_RCVBUF))
                            .see("no such option", () -> channel.getOption(StandardSocketOptions.IP_MULTICAST_IF))
                            .see("null", () -> channel.setOption(StandardSocketOptions.SO_RCVBUF, null));
                }
                it.client().setOption(StandardSocketOptions.TCP_NODELAY, true).setOption(StandardSocketOptions.SO_LINGER, 7);
                seen.see("no delay", () -> it.client().socket().getTcpNoDelay()).see("linger", () -> it.client().socket().getSoLinger());
            }
        });
    }

    @Test
    void familiesAreTheSame() throws Exception {
        assertSame((provider, seen) -> {
            for (StandardProtocolFamily family : StandardProtocolFamily.values()) {
                seen.see(family + " channel", () -> describe(provider.openSocketChannel(family)))
                        .see(family + " listener", () -> describe(provider.openServerSocketChannel(family)));
            }
            seen.see("none", () -> provider.openSocketChannel(null)).see("none", () -> provider.openServerSocketChannel(null))
                    .see("provider", () -> provider.toString().replaceAll("@.*", ""))
                    .see("inherited", provider::inheritedChannel);
        });
    }

    private static String describe(NetworkChannel channel) throws Exception {
        channel.close();
        return channel.toString();
    }

    @ParameterizedTest
    @EnumSource
    void readsAndWritesAreTheSame(Beginning beginning) throws Exception {
        assertSame((provider, seen) -> {
            try (Connected it = beginning.connect(provider)) {
                SocketChannel from = it.client();
                SocketChannel to = it.accepted();
                seen.see("write", () -> from.write(bytes(100))).see("read", () -> read(to, 100));
                seen.see("direct", () -> from.write(ByteBuffer.allocateDirect(70).put(bytes(50)).flip()));
                ByteBuffer direct = ByteBuffer.allocateDirect(60).position(20).limit(40);
                seen.see("direct", () -> to.read(direct)).see("buffer", direct::toString).see("rest", () -> read(to, 30));
                ByteBuffer[] parts = {bytes(3), bytes(0), bytes(9), ByteBuffer.allocateDirect(5), bytes(1).asReadOnlyBuffer()};
                seen.see("gather", () -> from.write(parts)).see("gather", () -> from.write(parts)).see("scattered", () -> read(to, 18));
                seen.see("gather", () -> from.write(new ByteBuffer[] {bytes(100), bytes(7), bytes(100)}, 1, 1));
                ByteBuffer[] room = {bytes(2), bytes(0), ByteBuffer.allocateDirect(3), bytes(10)};
                seen.see("scatter", () -> to.read(room)).see("buffers", () -> List.of(room).toString());
                seen.see("nothing", () -> from.write(bytes(0))).see("nothing", () -> to.read(bytes(0)))
                        .see("no buffers", () -> from.write(new ByteBuffer[0])).see("no buffers", () -> to.read(new ByteBuffer[0]))
                        .see("read only", () -> to.read(bytes(5).asReadOnlyBuffer())).see("null", () -> to.read((ByteBuffer) null))
                        .see("null", () -> from.write((ByteBuffer) null)).see("bounds", () -> from.write(parts, 2, 9))
                        .see("bounds", () -> to.read(room, -1, 1)).see("null", () -> to.read(new ByteBuffer[1]));
                Background<byte[]> reading = Background.call(() -> read(to, MUCH));
                seen.see("much", () -> from.write(bytes(MUCH))).see("much", reading);
                from.configureBlocking(false);
                to.configureBlocking(false);
                seen.see("nothing there", () -> to.read(bytes(3))).see("nothing there", () -> to.read(new ByteBuffer[] {bytes(3)}));
                boolean full = false; // when exactly, the kernel decides
                for (int i = 0; !full && i < MUCH; i++) {
                    full = from.write(bytes(1 << 16)) == 0;
                }
                seen.line("full: " + full);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void halfCloseAndResetAreTheSame(Beginning beginning) throws Exception {
        assertSame((provider, seen) -> {
            try (Connected it = beginning.connect(provider, seen)) {
                it.client().write(bytes(5));
                seen.see("shut", () -> it.client().shutdownOutput() == it.client()).see("text", it.client()::toString)
                        .see("write", () -> it.client().write(bytes(1))).see("rest", () -> it.accepted().read(bytes(10)))
                        .see("end", () -> it.accepted().read(bytes(10))).see("end", () -> it.accepted().read(new ByteBuffer[] {bytes(1)}));
                it.accepted().write(bytes(3));
                seen.see("other way", () -> read(it.client(), 3)).see("shut", () -> it.client().shutdownInput() == it.client())
                        .see("read", () -> it.client().read(bytes(1))).see("text", it.client()::toString)
                        .see("again", () -> it.client().shutdownInput() == it.client());
                it.client().close();
                seen.see("closed", () -> it.client().read(bytes(1))).see("closed", () -> it.client().write(bytes(1)))
                        .see("closed", it.client()::shutdownInput);
            }
            try (Connected it = beginning.connect(provider)) {
                it.client().setOption(StandardSocketOptions.SO_LINGER, 0).close();
                seen.see("reset", () -> it.accepted().read(bytes(1))).see("reset", () -> it.accepted().read(bytes(1)))
                        .see("write", () -> it.accepted().write(bytes(1)))
                        .see("adaptor", () -> it.accepted().socket().getInputStream().read());
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void theAdaptorsAreTheSame(Beginning beginning) throws Exception {
        assertSame((provider, seen) -> {
            try (Connected it = beginning.connect(provider, seen)) {
                Socket from = it.client().socket();
                Socket to = it.accepted().socket();
                from.getOutputStream().write(bytes(100).array());
                InputStream in = to.getInputStream();
                seen.see("read", () -> in.readNBytes(60)).see("available", in::available).see("rest", () -> in.readNBytes(40));
                to.setSoTimeout(1);
                seen.see("timeout", () -> in.read());
                to.setSoTimeout(0);
                Background<byte[]> reading = Background.call(() -> in.readNBytes(MUCH));
                from.getOutputStream().write(bytes(MUCH).array());
                seen.see("much", reading);
                to.setOOBInline(true);
                from.sendUrgentData(7);
                seen.see("urgent", () -> in.read());
                seen.see("channel", () -> from.getChannel() == it.client()).see("ports", () -> from.getPort() + " " + from.getLocalPort())
                        .see("addresses", () -> from.getInetAddress() + " " + to.getLocalAddress()).see("text", to::toString)
                        .see("bound", from::isBound).see("connect", () -> from.connect(it.server().getLocalAddress()));
                from.shutdownOutput();
                seen.see("end", () -> in.read()).see("shut", from::isOutputShutdown).see("write", () -> from.getOutputStream().write(1));
                it.accepted().configureBlocking(false);
                seen.see("not blocking", () -> in.read()).see("not blocking", () -> to.getOutputStream().write(1));
                from.close();
                seen.see("closed", it.client()::isOpen).see("closed", from::getInputStream).see("text", from::toString);
            }
        });
    }

    /** A call that waits when its channel is closed or its thread is interrupted. */
    private record Waiting(Function<Connected, Channel> channel, Call call) {

        interface Call {
            Object of(Connected it) throws Exception;
        }
    }

    private static final List<Waiting> WAITING = List.of(
            new Waiting(Connected::accepted, it -> it.accepted().read(bytes(1))),
            new Waiting(Connected::client, it -> it.client().read(new ByteBuffer[] {bytes(1), bytes(1)})),
            new Waiting(Connected::accepted, it -> it.accepted().write(bytes(MUCH)) > 0),
            new Waiting(Connected::client, it -> it.client().write(new ByteBuffer[] {bytes(MUCH), bytes(1)}) > 0),
            new Waiting(Connected::server, it -> it.server().accept()),
            new Waiting(Connected::accepted, it -> it.accepted().socket().getInputStream().read()),
            new Waiting(Connected::client, it -> {
                it.client().socket().getOutputStream().write(new byte[MUCH]);
                return null;
            }));

    @ParameterizedTest
    @EnumSource
    void anInterruptedCallEndsInTheSameWay(Beginning beginning) throws Exception {
        assertSame((provider, seen) -> {
            for (Waiting waiting : WAITING) {
                try (Connected it = beginning.connect(provider)) {
                    Background<Object> blocked = Background.call(() -> waiting.call().of(it)).blocked();
                    blocked.thread().interrupt();
                    seen.see("interrupted", blocked).line(open(it));
                }
                try (Connected it = beginning.connect(provider)) {
                    seen.see("interrupted before", Background.call(() -> {
                        Thread.currentThread().interrupt();
                        return waiting.call().of(it);
                    })).line(open(it));
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aCallWhoseChannelIsClosedEndsInTheSameWay(Beginning beginning) throws Exception {
        assertSame((provider, seen) -> {
            for (Waiting waiting : WAITING) {
                try (Connected it = beginning.connect(provider)) {
                    Background<Object> blocked = Background.call(() -> waiting.call().of(it)).blocked();
                    waiting.channel().apply(it).close();
                    seen.see("closed", blocked).see("after", () -> waiting.call().of(it)).line(open(it));
                }
            }
        });
    }

    private static String open(Connected it) {
        return it.client().isOpen() + " " + it.accepted().isOpen() + " " + it.server().isOpen();
    }

    @ParameterizedTest
    @EnumSource
    void theBlockingModeIsTheSame(Beginning beginning) throws Exception {
        assertSame((provider, seen) -> {
            try (Connected it = beginning.connect(provider); var selector = provider.openSelector()) {
                SocketChannel channel = it.accepted();
                seen.see("blocking", () -> channel.register(selector, 1));
                for (int i = 0; i < 3; i++) {
                    channel.configureBlocking(false);
                    seen.see("nothing", () -> channel.read(bytes(1))).see("registered", () -> channel.register(selector, 1).isValid())
                            .see("blocking", () -> channel.configureBlocking(true)).see("mode", channel::isBlocking);
                    channel.keyFor(selector).cancel();
                    selector.selectNow();
                    channel.configureBlocking(true);
                    it.client().write(bytes(4));
                    seen.see("read", () -> read(channel, 2)).see("by the adaptor", () -> channel.socket().getInputStream().readNBytes(2));
                }
                channel.close();
                seen.see("closed", () -> channel.configureBlocking(false)).see("closed", channel::isBlocking);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void filesAreSentInTheSameWay(Beginning beginning) throws Exception {
        Path file = Files.write(folder.resolve("sent"), bytes(1 << 20).array());
        assertSame((provider, seen) -> {
            Path copy = Files.write(folder.resolve("received"), new byte[0]);
            try (Connected it = beginning.connect(provider); FileChannel from = FileChannel.open(file);
                    FileChannel to = FileChannel.open(copy, StandardOpenOption.WRITE)) {
                Background<byte[]> reading = Background.call(() -> read(it.accepted(), 1 << 20));
                seen.see("sent", () -> from.transferTo(0, 1 << 20, it.client())).see("received", reading);
                it.client().write(bytes(1000));
                seen.see("received by a file", () -> to.transferFrom(it.accepted(), 0, 1000)).see("file", () -> Files.readAllBytes(copy));
                it.client().shutdownOutput();
                seen.see("shut", () -> from.transferTo(0, 10, it.client())).see("end", () -> to.transferFrom(it.accepted(), 0, 10));
                it.client().close();
                seen.see("closed", () -> from.transferTo(0, 10, it.client()));
            }
            try (SocketChannel unconnected = provider.openSocketChannel(); FileChannel from = FileChannel.open(file)) {
                seen.see("not connected", () -> from.transferTo(0, 10, unconnected));
            }
        });
    }

    @Test
    void virtualThreadsSeeTheSame() throws Exception {
        VirtualThreads.assume();
        assertSame((provider, seen) -> seen.see("echo", VirtualThreads.call(() -> {
            try (ServerSocketChannel server = Connected.listening(provider); SocketChannel client = provider.openSocketChannel()) {
                Background<byte[]> echo = VirtualThreads.call(() -> {
                    try (SocketChannel accepted = server.accept()) {
                        byte[] all = read(accepted, MUCH);
                        write(accepted, all);
                        return all;
                    }
                });
                client.connect(server.getLocalAddress());
                write(client, bytes(MUCH).array());
                byte[] back = read(client, MUCH);
                assertEquals(MUCH, echo.result().length);
                return back;
            }
        })));
    }

    /** The JDK's channels at one end, JFS's at the other. */
    @Test
    void theTwoProvidersConnectWithEachOther() throws Exception {
        SelectorProvider jdk = Provider.JDK.get();
        SelectorProvider jfs = Provider.JFS.get();
        for (List<SelectorProvider> each : List.of(List.of(jdk, jfs), List.of(jfs, jdk))) {
            try (ServerSocketChannel server = Connected.listening(each.get(0)); SocketChannel client = each.get(1).openSocketChannel()) {
                client.connect(server.getLocalAddress());
                try (SocketChannel accepted = server.accept()) {
                    Background<Integer> writing = Background.call(() -> client.write(bytes(MUCH)));
                    assertEquals(bytes(MUCH), ByteBuffer.wrap(read(accepted, MUCH)));
                    assertEquals(MUCH, writing.result());
                }
            }
        }
    }
}
