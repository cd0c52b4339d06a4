package jfs.conformance.nio;

import static jfs.conformance.nio.Connected.read;
import static jfs.conformance.nio.Connected.write;
import static jfs.conformance.nio.Provider.assertSame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jfs.conformance.harness.Transcript;
import jfs.stat.Stats;
import jfs.steps.Step;
import jfs.testing.Await;
import jfs.testing.Background;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two threads use one channel, and one of them connects or closes it. No thread waits for ever, and none touches the memory or the
 * descriptor of a connection that is closed. A number of a descriptor belongs to another socket then.
 */
@Tag("channels")
@SuppressWarnings("try") // a program closes before its end, too
class ChannelThreadsTest {

    private static final int CONNECTS = 1_000;
    private static final int SPINS_MAX = 2_000;
    private static final long LIMIT_MILLIS = 20_000;
    /** More connections than a queue of one lets in. */
    private static final int CROWD = 6;
    /** So many sockets get the numbers of descriptors that have become free. */
    private static final int OTHERS = 10;
    /** More than a connection keeps for a reader that does not read. */
    private static final int MUCH = 16 << 20;
    /** Less than a write by the path copies at once. */
    private static final int LITTLE = 20 << 10;
    private static final int SEVERAL = 40;

    @TempDir
    static Path folder;

    @Test
    void aConnectFailsWhileAnotherThreadCloses() throws Exception {
        assertSame((provider, seen) -> {
            ServerSocketChannel closed = Connected.listening(provider);
            InetSocketAddress nowhere = (InetSocketAddress) closed.getLocalAddress();
            closed.close();
            SynchronousQueue<SocketChannel> given = new SynchronousQueue<>();
            Background<Void> closing = Background.run(() -> {
                for (int i = 0; i < CONNECTS; i++) {
                    SocketChannel it = given.poll(LIMIT_MILLIS, TimeUnit.MILLISECONDS);
                    for (int spins = i * 37 % SPINS_MAX; spins > 0; spins--) {
                        Thread.onSpinWait();
                    }
                    it.close();
                }
            });
            Background<Void> finishing = Background.run(() -> {
                for (int i = 0; i < CONNECTS; i++) {
                    SocketChannel it = provider.openSocketChannel();
                    it.configureBlocking(false);
                    it.connect(nowhere);
                    given.offer(it, LIMIT_MILLIS, TimeUnit.MILLISECONDS);
                    assertThrows(IOException.class, it::finishConnect);
                }
            });
            finishing.result();
            closing.result();
        });
    }

    @Test
    void anotherThreadDoesNotWaitForAConnect() throws Exception {
        assertSame((provider, seen) -> {
            List<SocketChannel> crowd = new ArrayList<>();
            try (ServerSocketChannel server = provider.openServerSocketChannel(); SocketChannel it = provider.openSocketChannel()) {
                server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
                for (int i = 0; i < CROWD; i++) {
                    crowd.add(provider.openSocketChannel());
                    crowd.get(i).configureBlocking(false);
                    crowd.get(i).connect(server.getLocalAddress());
                }
                Background<Boolean> connecting = Background.call(() -> it.connect(server.getLocalAddress())).blocked();
                seen.see("get", Background.call(() -> it.getOption(StandardSocketOptions.TCP_NODELAY)))
                        .see("set", Background.call(() -> it.setOption(StandardSocketOptions.TCP_NODELAY, true) == it))
                        .see("get", Background.call(() -> it.getOption(StandardSocketOptions.TCP_NODELAY)))
                        .see("adaptor", Background.call(() -> it.socket().getTcpNoDelay()))
                        .see("shut input", Background.call(() -> it.shutdownInput() == it))
                        .see("shut output", Background.call(() -> it.shutdownOutput() == it))
                        .see("pending", Background.call(it::isConnectionPending)).see("done", connecting::isDone);
                it.close();
                seen.see("connect", connecting);
            } finally {
                for (SocketChannel each : crowd) {
                    each.close();
                }
            }
        });
    }

    /** A connection whose ends have a path. No reader has asked its peer to switch: none waits in a read. */
    private static Connected attached() throws Exception {
        long attached = Stats.ATTACHED.sum();
        Connected it = Connected.by(Provider.JFS.get());
        for (int i = 0; i < 2; i++) {
            write(it.client(), new byte[] {1});
            read(it.accepted(), 1);
            write(it.accepted(), new byte[] {1});
            read(it.client(), 1);
        }
        Await.until(() -> "both ends get the path: " + Stats.summary(), () -> Stats.ATTACHED.sum() >= attached + 2);
        return it;
    }

    /** Connections of the JDK's sockets. */
    private static final class Others implements AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, OTHERS, InetAddress.getLoopbackAddress());
        private final List<Socket> ends = new ArrayList<>();

        Others() throws Exception {
        }

        /** One of the sockets gets the number of a descriptor that was closed just before. Each end has bytes to read. */
        void connect() throws Exception {
            for (int i = 0; i < OTHERS; i++) {
                ends.add(new Socket(server.getInetAddress(), server.getLocalPort()));
                ends.add(server.accept());
            }
            for (Socket each : ends) {
                each.getOutputStream().write(new byte[] {1, 2});
            }
        }

        /** Each end has its bytes, and its stream goes on. */
        void check() throws Exception {
            for (Socket each : ends) {
                each.getOutputStream().write(3);
            }
            for (Socket each : ends) {
                each.setSoTimeout((int) LIMIT_MILLIS);
                assertEquals(ByteBuffer.wrap(new byte[] {1, 2, 3}), ByteBuffer.wrap(each.getInputStream().readNBytes(3)));
            }
        }

        @Override
        public void close() throws Exception {
            for (Socket each : ends) {
                each.close();
            }
            server.close();
        }
    }

    @Test
    void aReadBesideACloseLeavesOtherSocketsAlone() throws Exception {
        try (Others others = new Others(); Connected it = attached(); StepGate.Gate gate = new StepGate.Gate(Step.READER_AWAKE)) {
            Background<Integer> reading = Background.call(() -> {
                gate.holdThisThread();
                return it.client().read(ByteBuffer.allocate(10));
            }).blocked();
            it.accepted().shutdownOutput(); // an event of TCP, which wakes the reader
            gate.awaitReached();
            it.client().close();
            others.connect();
            gate.close();
            assertThrows(ClosedChannelException.class, reading::result);
            others.check();
        }
    }

    @Test
    void aHalfCloseBesideACloseLeavesOtherSocketsAlone() throws Exception {
        try (Others others = new Others(); Connected it = Beginning.FAST.connect(Provider.JFS.get());
                StepGate.Gate gate = new StepGate.Gate(Step.OUTPUT_SHUT)) {
            Background<SocketChannel> shutting = Background.call(() -> {
                gate.holdThisThread();
                try {
                    return it.client().shutdownOutput();
                } catch (ClosedChannelException e) {
                    return null; // the close comes first
                }
            });
            gate.awaitReached();
            it.client().close();
            others.connect();
            gate.close();
            shutting.result();
            others.check();
        }
    }

    /** The memory of a closed connection is freed before its key is cancelled. A selector that asked for room there would end the JVM. */
    @Test
    void aSelectorLeavesTheMemoryOfAClosedConnectionAlone() throws Exception {
        try (Connected it = attached(); Selector selector = it.client().provider().openSelector();
                StepGate.Gate gate = new StepGate.Gate(Step.HALVES_RETIRED)) {
            it.client().configureBlocking(false);
            SelectionKey key = it.client().register(selector, SelectionKey.OP_READ);
            assertEquals(0, selector.selectNow());
            Background<Void> closing = Background.run(() -> {
                gate.holdThisThread();
                it.client().close();
            });
            gate.awaitReached();
            key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
            assertEquals(0, selector.selectNow());
            gate.close();
            closing.result();
            assertEquals(0, selector.selectNow());
            assertEquals(0, selector.keys().size());
        }
    }

    /** What ends a write that another thread is in. */
    private interface Ending {
        void act(Background<Long> writing, Connected it) throws Exception;
    }

    private enum Ended implements Ending {
        BY_CLOSE((writing, it) -> it.client().close()),
        BY_SHUTDOWN((writing, it) -> it.client().shutdownOutput()),
        BY_INTERRUPT((writing, it) -> writing.thread().interrupt()),
        BY_RESET((writing, it) -> it.accepted().setOption(StandardSocketOptions.SO_LINGER, 0).close()),
        BY_UNREAD_BYTES((writing, it) -> it.accepted().close());

        private final Ending ending;

        Ended(Ending ending) {
            this.ending = ending;
        }

        @Override
        public void act(Background<Long> writing, Connected it) throws Exception {
            ending.act(writing, it);
        }
    }

    /** The first copy of a write's bytes has taken a part of them, and waits for room. */
    @ParameterizedTest
    @EnumSource
    void aWriteThatEndsInItsFirstCopySaysHowManyBytesItHasTaken(Ended ended) throws Exception {
        assertSame((provider, seen) -> {
            for (ByteBuffer one : List.of(ByteBuffer.allocate(MUCH), ByteBuffer.allocateDirect(MUCH))) {
                endOfAWrite(provider, seen, ended, it -> it.write(one), one);
            }
            ByteBuffer[] several = new ByteBuffer[SEVERAL];
            for (int i = 0; i < SEVERAL; i++) {
                several[i] = ByteBuffer.allocate(i < SEVERAL / 2 ? LITTLE / SEVERAL : 2 * MUCH / SEVERAL);
            }
            endOfAWrite(provider, seen, ended, it -> it.write(several), several);
            endOfAWrite(provider, seen, ended, it -> {
                it.socket().getOutputStream().write(new byte[MUCH]);
                return 0;
            });
        });
    }

    private interface Write {
        long by(SocketChannel channel) throws Exception;
    }

    private static void endOfAWrite(SelectorProvider provider, Transcript seen, Ended ended, Write write, ByteBuffer... from)
            throws Exception {
        try (Connected it = Beginning.FAST.connect(provider)) {
            it.client().configureBlocking(false);
            int filled = 0;
            for (int n = 1; n > 0; filled += n) {
                n = it.client().write(ByteBuffer.allocate(LITTLE));
            }
            it.client().configureBlocking(true);
            read(it.accepted(), filled);
            if (provider != Provider.JDK.get()) { // otherwise several copies would have room
                write(it.client(), new byte[filled - LITTLE]);
            }
            Background<Long> writing = Background.call(() -> write.by(it.client())).blocked();
            ended.act(writing, it);
            seen.see("takes a part", () -> writing.result() > 0 && writing.result() < MUCH)
                    .see("the positions", () -> writing.result() == Stream.of(from).mapToLong(ByteBuffer::position).sum())
                    .see("is interrupted", writing.thread()::isInterrupted).see("open", it.client()::isOpen)
                    .see("after", () -> it.client().write(ByteBuffer.allocate(1)));
        }
    }

    /** An arena of memory outside the heap (java.lang.foreign), by reflection: JDK 17 has none. */
    private record Arena(Object arena, Class<?> type) {

        static Arena of(String kind) throws Exception {
            Class<?> type = Class.forName("java.lang.foreign.Arena");
            return new Arena(type.getMethod(kind).invoke(null), type);
        }

        ByteBuffer allocate(int bytes) throws Exception {
            return buffer(type.getMethod("allocate", long.class, long.class).invoke(arena, bytes, 1));
        }

        ByteBuffer map(FileChannel file, int bytes) throws Exception {
            return buffer(FileChannel.class.getMethod("map", FileChannel.MapMode.class, long.class, long.class, type)
                    .invoke(file, FileChannel.MapMode.READ_ONLY, 0, bytes, arena));
        }

        private static ByteBuffer buffer(Object segment) throws Exception {
            return (ByteBuffer) Class.forName("java.lang.foreign.MemorySegment").getMethod("asByteBuffer").invoke(segment);
        }

        String close() throws Exception {
            try {
                type.getMethod("close").invoke(arena);
                return "closed";
            } catch (InvocationTargetException e) {
                return e.getCause().toString();
            }
        }
    }

    /** The memory of a read or write that waits must not be freed meanwhile. */
    @ParameterizedTest
    @EnumSource
    @EnabledForJreRange(minVersion = 22)
    void anArenaCanNotBeClosedWhileACallWaitsWithItsMemory(Beginning beginning) throws Exception {
        assertSame((provider, seen) -> {
            for (int buffers : new int[] {1, 2}) {
                try (Connected it = beginning.connect(provider)) {
                    Arena arena = Arena.of("ofShared");
                    ByteBuffer last = arena.allocate(MUCH);
                    ByteBuffer[] all = {ByteBuffer.allocate(LITTLE), last};
                    Background<Long> writing = Background.call(
                            () -> buffers == 1 ? it.client().write(last) : it.client().write(all)).blocked();
                    seen.line(arena.close());
                    read(it.accepted(), MUCH + (buffers - 1) * LITTLE);
                    seen.see("written", writing).line(arena.close());
                    seen.see("write", () -> it.client().write(last.clear()));
                    seen.see("writes", () -> it.client().write(all));
                }
                try (Connected it = beginning.connect(provider)) {
                    Arena arena = Arena.of("ofShared");
                    ByteBuffer last = arena.allocate(10);
                    ByteBuffer[] all = {ByteBuffer.allocate(1), last};
                    Background<Long> reading = Background.call(
                            () -> buffers == 1 ? it.client().read(last) : it.client().read(all)).blocked();
                    seen.line(arena.close());
                    write(it.accepted(), new byte[] {42});
                    seen.see("read", reading).line(arena.close());
                    seen.see("read", () -> it.client().read(last.clear()));
                }
            }
        });
    }

    /** Nothing reads the memory of an arena that is closed, or of another thread's. */
    @ParameterizedTest
    @ValueSource(strings = {"ofShared", "ofConfined"})
    @EnabledForJreRange(minVersion = 22)
    void theBuffersOfAClosedArenaAreRefused(String kind) throws Exception {
        Path path = Files.write(folder.resolve(kind), new byte[LITTLE]);
        assertSame((provider, seen) -> {
            try (Connected it = Beginning.FAST.connect(provider); FileChannel file = FileChannel.open(path)) {
                Arena arena = Arena.of(kind);
                for (ByteBuffer each : List.of(arena.allocate(10), arena.map(file, 10), arena.map(file, LITTLE))) {
                    seen.see("open", () -> it.client().write(each.duplicate()));
                    seen.see("another thread's", Background.call(() -> it.client().write(each.duplicate())));
                    seen.see("both", () -> it.client().write(new ByteBuffer[] {each.duplicate(), each.duplicate()}));
                }
                List<ByteBuffer> all = List.of(arena.allocate(10), arena.map(file, 10), arena.map(file, LITTLE));
                seen.line(arena.close());
                for (ByteBuffer each : all) {
                    seen.see("closed", () -> it.client().write(each.duplicate()));
                    seen.see("both", () -> it.client().write(new ByteBuffer[] {each.duplicate(), each.duplicate()}));
                }
                write(it.accepted(), new byte[10]);
                seen.see("read", () -> it.client().read(all.get(0).duplicate()));
                seen.see("the bytes are still there", () -> read(it.client(), 10).length);
            }
        });
    }

    /** Nothing touches a page of a file that has become shorter, also where an arena has mapped it. */
    @ParameterizedTest
    @ValueSource(strings = {"ofShared", "ofConfined", "ofAuto"})
    @EnabledForJreRange(minVersion = 22)
    void aFileOfAnArenaMayBecomeShorter(String kind) throws Exception {
        Path path = Files.write(folder.resolve(kind), new byte[LITTLE]);
        assertSame((provider, seen) -> {
            try (Connected it = Beginning.FAST.connect(provider);
                    FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                file.write(ByteBuffer.allocate(LITTLE), 0);
                ByteBuffer mapped = Arena.of(kind).map(file, LITTLE);
                file.truncate(0);
                seen.see("gone", () -> it.client().write(mapped.duplicate()));
                seen.see("both", () -> it.client().write(new ByteBuffer[] {mapped.duplicate(), mapped.duplicate()}));
            }
        });
    }
}
