package jfs.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
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
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import jfs.testing.Await;
import jfs.testing.Background;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The channels and selectors of JFS's provider tell a connection's end all that it has to know. */
class EndTest {

    /** As in poll(2). */
    private static final int POLLIN = 1;
    private static final int POLLOUT = 4;

    private Recorder recorder;
    private SelectorProvider provider;
    private ServerSocketChannel server;
    private SocketChannel client;
    private SocketChannel accepted;

    @BeforeEach
    void open() throws Throwable {
        provider = OwnProvider.get();
        recorder = OwnProvider.record();
        server = provider.openServerSocketChannel();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        client = provider.openSocketChannel();
        client.connect(server.getLocalAddress());
        accepted = server.accept();
    }

    @AfterEach
    void close() throws Exception {
        OwnProvider.usePlain();
        client.close();
        accepted.close();
        server.close();
    }

    private static ByteBuffer bytes(int length) {
        return ByteBuffer.allocate(length);
    }

    /** What the client has sent so far, and what the accepted end has received, as their ends were told. */
    private void assertCounted(long bytes) {
        assertEquals(bytes, recorder.of(client).sent());
        assertEquals(bytes, recorder.of(accepted).received());
    }

    @Test
    void eachTcpChannelHasOneEnd() throws Exception {
        assertFalse(recorder.of(client).isAccepted());
        assertTrue(recorder.of(accepted).isAccepted());
        try (SocketChannel other = provider.openSocketChannel(StandardProtocolFamily.INET);
                SocketChannel unix = provider.openSocketChannel(StandardProtocolFamily.UNIX);
                ServerSocketChannel listener = provider.openServerSocketChannel(StandardProtocolFamily.INET)) {
            listener.bind(new InetSocketAddress("127.0.0.1", 0));
            other.connect(listener.getLocalAddress());
            try (SocketChannel peer = listener.accept()) {
                assertFalse(recorder.of(other).isAccepted());
                assertTrue(recorder.of(peer).isAccepted());
                assertEquals(null, recorder.of(unix));
            }
        }
    }

    @Test
    void anAcceptByTheAdaptorIsAnAccept() throws Exception {
        server.socket().setSoTimeout(60_000);
        try (SocketChannel second = provider.openSocketChannel()) {
            Background<SocketChannel> accepting = Background.call(() -> server.socket().accept().getChannel()).blocked();
            second.connect(server.getLocalAddress());
            try (SocketChannel peer = accepting.result()) {
                assertTrue(recorder.of(peer).isAccepted());
            }
        }
    }

    @Test
    void bytesAreCountedByWhicheverMethodTheyGo() throws Exception {
        client.write(bytes(3));
        accepted.read(bytes(3));
        assertCounted(3);
        client.write(new ByteBuffer[] {bytes(2), bytes(5)});
        accepted.read(new ByteBuffer[] {bytes(1), bytes(6)});
        assertCounted(10);
        client.write(new ByteBuffer[] {bytes(100), bytes(5), bytes(100)}, 1, 1);
        accepted.read(new ByteBuffer[] {bytes(100), bytes(5), bytes(100)}, 1, 1);
        assertCounted(15);
        client.socket().getOutputStream().write(new byte[7]);
        assertEquals(7, accepted.socket().getInputStream().readNBytes(7).length);
        assertCounted(22);
        accepted.socket().setSoTimeout(60_000);
        client.socket().getOutputStream().write(new byte[9], 1, 7);
        assertEquals(7, accepted.socket().getInputStream().readNBytes(7).length);
        assertCounted(29);
        client.configureBlocking(false);
        client.write(bytes(0));
        assertEquals(0, client.read(bytes(1)));
        client.shutdownOutput();
        assertEquals(-1, accepted.read(bytes(1)));
        assertCounted(29);
        assertEquals(0, recorder.of(client).received());
    }

    /** What the end does by itself is not counted by the channel. */
    @Test
    void theEndDoesWhatIsNotAReadOrAWrite() throws Exception {
        assertEquals(List.of("begin"), recorder.of(accepted).calls());
        accepted.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        assertEquals(true, accepted.getOption(StandardSocketOptions.SO_KEEPALIVE));
        accepted.socket().setOOBInline(true);
        client.socket().sendUrgentData(1);
        assertEquals(1, accepted.read(bytes(1)));
        assertEquals(0, accepted.socket().getInputStream().available());
        accepted.shutdownInput();
        accepted.shutdownInput(); // the JDK does nothing, and the end is not asked
        accepted.shutdownOutput();
        assertEquals(-1, client.read(bytes(1)));
        assertEquals(List.of("begin", "setOption", "getOption", "setOption", "available", "shutdownInput", "shutdownOutput"),
                recorder.of(accepted).calls());
        assertEquals(List.of("begin", "urgent", "end of the stream"), recorder.of(client).calls());
        assertEquals(1, recorder.of(accepted).received());
        assertEquals(0, recorder.of(client).sent());
    }

    @Test
    void aWriteThatFailsHasMovedAnUnknownNumberOfBytes() throws Exception {
        client.shutdownOutput();
        assertThrows(ClosedChannelException.class, () -> client.write(bytes(1)));
        assertThrows(ClosedChannelException.class, () -> client.write(new ByteBuffer[] {bytes(1)}));
        assertThrows(IOException.class, () -> client.socket().getOutputStream().write(new byte[1]));
        assertEquals(List.of("begin", "shutdownOutput"), recorder.of(client).calls().subList(0, 2));
        assertTrue(recorder.of(client).calls().stream().skip(2).allMatch("sent an unknown number"::equals));
        assertEquals(0, recorder.of(client).sent());
    }

    @Test
    void theEndDecidesWhetherTheKernelSendsAFile(@TempDir Path folder) throws Exception {
        Path file = Files.write(folder.resolve("file"), new byte[100]);
        try (FileChannel from = FileChannel.open(file)) {
            assertEquals(100, from.transferTo(0, 100, client));
            assertEquals(100, accepted.socket().getInputStream().readNBytes(100).length);
            assertEquals(0, recorder.of(client).sent());
            recorder.of(client).refuseFiles();
            assertEquals(100, from.transferTo(0, 100, client));
            assertEquals(100, accepted.socket().getInputStream().readNBytes(100).length);
            assertEquals(100, recorder.of(client).sent());
            assertTrue(recorder.of(client).calls().contains("file"));
        }
    }

    @Test
    void aSelectorObeysTheEnd() throws Exception {
        accepted.configureBlocking(false);
        try (Selector selector = provider.openSelector()) {
            recorder.of(accepted).path(POLLIN, -1, 0);
            SelectionKey key = accepted.register(selector, SelectionKey.OP_READ | SelectionKey.OP_WRITE);
            assertEquals(0, selector.selectNow()); // TCP could be written to
            client.write(bytes(1));
            assertEquals(1, selector.select(60_000));
            assertEquals(SelectionKey.OP_READ, key.readyOps());
            selector.selectedKeys().clear();
            recorder.of(accepted).path(POLLIN, 0, 0);
            assertEquals(0, selector.selectNow());
            recorder.of(accepted).path(POLLIN, 0, POLLOUT);
            recorder.of(accepted).tellSelectors();
            assertEquals(1, selector.selectNow());
            assertEquals(SelectionKey.OP_WRITE, key.readyOps());
            assertEquals(0, selector.selectNow()); // selected already
            recorder.of(accepted).path(POLLIN, -1, POLLOUT);
            assertEquals(1, selector.selectNow());
            assertEquals(SelectionKey.OP_READ | SelectionKey.OP_WRITE, key.readyOps());
        }
    }

    /** Two selectors sleep on one channel. What is told of nothing leaves them asleep. */
    @Test
    void sleepingSelectorsLookWhenTheyAreTold() throws Exception {
        accepted.configureBlocking(false);
        Recorder.End end = recorder.of(accepted);
        end.path(0, 0, 0);
        try (Selector first = provider.openSelector(); Selector second = provider.openSelector()) {
            accepted.register(first, SelectionKey.OP_READ);
            accepted.register(second, SelectionKey.OP_READ);
            Background<Integer> selecting = Background.call(first::select).blocked();
            Background<Integer> other = Background.call(second::select).blocked();
            int before = end.armings();
            end.tellSelectors();
            Await.until(() -> "armed again", () -> end.armings() >= before + 2);
            selecting.blocked();
            other.blocked();
            end.path(0, 0, POLLOUT); // not asked for
            end.tellSelectors();
            Await.until(() -> "armed again", () -> end.armings() >= before + 4);
            end.path(0, 0, POLLIN);
            end.tellSelectors();
            assertEquals(1, selecting.result());
            assertEquals(1, other.result());
            assertEquals(2, end.waits()); // none for what was not asked for
            end.path(0, 0, 0);
            first.selectedKeys().clear();
            Background<Integer> woken = Background.call(first::select).blocked();
            int asleep = end.armings();
            end.tellSelectors();
            Await.until(() -> "armed again", () -> end.armings() > asleep);
            first.wakeup();
            assertEquals(0, woken.result());
        }
    }

    @Test
    void theCloseIsToldOnce() throws Exception {
        client.configureBlocking(false);
        try (Selector selector = provider.openSelector()) {
            client.register(selector, SelectionKey.OP_READ);
            client.close();
            assertEquals(List.of("begin", "close"), recorder.of(client).calls().subList(0, 2));
            selector.selectNow();
            assertTrue(recorder.of(client).calls().subList(2, 3).contains("afterClose")); // the JDK has held the locks
        }
        accepted.close();
        accepted.close();
        assertEquals(List.of("begin", "close"), recorder.of(accepted).calls());
    }

    /** What a fault in an end or a hook must not do: leave a connection open that nobody can close. */
    @Test
    void theConnectionIsClosedThoughTheEndThrows() throws Exception {
        recorder.of(client).throwAtClose();
        assertThrows(IllegalStateException.class, client::close);
        assertEnds(accepted);
    }

    @Test
    void theConnectionIsClosedThoughTheHookThrows() throws Exception {
        try (SocketChannel second = provider.openSocketChannel()) {
            second.connect(server.getLocalAddress());
            recorder.makeNone();
            assertThrows(IllegalStateException.class, server::accept);
            assertEnds(second);
        }
    }

    private static void assertEnds(SocketChannel channel) throws Exception {
        channel.socket().setSoTimeout(60_000);
        assertEquals(-1, channel.socket().getInputStream().read());
    }

    /** Otherwise the channel would tell it of news, and keep it in memory. */
    @Test
    void aChannelForgetsASelectorWhoseCloseFails() throws Throwable {
        Class<?> type = Class.forName("sun.nio.ch.EPollSelectorImpl");
        Field descriptor = type.getDeclaredField("epfd");
        Field registrations = client.getClass().getDeclaredField("registrations");
        client.configureBlocking(false);
        Selector selector = provider.openSelector();
        int before = (int) OwnProvider.lookup().unreflectGetter(descriptor).invoke(selector);
        try {
            client.register(selector, SelectionKey.OP_READ);
            assertNotNull(OwnProvider.lookup().unreflectGetter(registrations).invoke(client));
            set(selector, descriptor, Integer.MAX_VALUE); // no descriptor of this process
            assertThrows(IOException.class, selector::close);
            assertNull(OwnProvider.lookup().unreflectGetter(registrations).invoke(client));
        } finally {
            set(selector, descriptor, before);
            OwnProvider.lookup().findVirtual(type, "implCloseSelector", MethodType.methodType(void.class)).invoke(selector);
        }
    }

    /** Sets a final field. */
    private static void set(Object of, Field field, int value) throws Throwable {
        MethodHandles.Lookup lookup = OwnProvider.lookup();
        Class<?> type = Class.forName("jdk.internal.misc.Unsafe");
        Object unsafe = lookup.findStatic(type, "getUnsafe", MethodType.methodType(type)).invoke();
        long offset = (long) lookup.findVirtual(type, "objectFieldOffset", MethodType.methodType(long.class, Field.class))
                .invoke(unsafe, field);
        lookup.findVirtual(type, "putInt", MethodType.methodType(void.class, Object.class, long.class, int.class))
                .invoke(unsafe, of, offset, value);
    }

    /** The JDK's channel, from which it has its descriptor and its locks, must not live on in it: an interrupt would close that one. */
    @Test
    void anAcceptedChannelRefersToNoOtherChannel() throws Exception {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Object> todo = new ArrayDeque<>(List.of(accepted));
        while (!todo.isEmpty()) {
            Object it = todo.pop();
            if (seen.add(it)) {
                assertTrue(it == accepted || !(it instanceof SocketChannel), () -> "it refers to " + it);
                addReferences(it, todo);
            }
        }
        assertTrue(seen.size() > 10, () -> "only " + seen.size() + " objects found");
    }

    private static void addReferences(Object from, Deque<Object> to) throws Exception {
        Class<?> type = from.getClass();
        if (type.isArray()) {
            for (int i = 0; !type.getComponentType().isPrimitive() && i < Array.getLength(from); i++) {
                add(Array.get(from, i), to);
            }
        }
        for (Class<?> each = type; each != null && !type.isArray(); each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    try {
                        add(OwnProvider.lookup().unreflectGetter(field).invoke(from), to);
                    } catch (Throwable e) {
                        throw new AssertionError(field.toString(), e);
                    }
                }
            }
        }
    }

    /** Threads, classes and their loaders lead to all there is. */
    private static void add(Object reference, Deque<Object> to) {
        if (reference != null && !(reference instanceof Thread) && !(reference instanceof Class) && !(reference instanceof ClassLoader)
                && !(reference instanceof Recorder.End)) {
            to.push(reference);
        }
    }
}
