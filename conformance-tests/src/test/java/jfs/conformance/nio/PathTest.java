package jfs.conformance.nio;

import static jfs.conformance.nio.Connected.read;
import static jfs.conformance.nio.Connected.write;
import static jfs.conformance.nio.Provider.assertSame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import jfs.conformance.harness.Transcript;
import jfs.stat.Reason;
import jfs.stat.Stats;
import jfs.testing.Await;
import jfs.testing.Background;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Selectors and channels whose connection becomes fast, or has become fast, do as the JDK's: readiness, empty returns of select, flips of
 * the blocking mode.
 */
@Tag("channels")
class PathTest {

    private static final int READ = SelectionKey.OP_READ;
    private static final int WRITE = SelectionKey.OP_WRITE;
    private static final long LONG = 60_000;
    private static final int CROWD = 64;
    /** More than a connection keeps for a reader that does not read. */
    private static final int MUCH = 16 << 20;
    private static final int ROUND_TRIPS = 300;
    /** A connection that has so many writes in one direction stays on TCP. */
    private static final int TOO_FEW_FOR_AN_OFFER = 50;

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 31 + i / 256);
        }
        return bytes;
    }

    private static SelectionKey register(SocketChannel channel, Selector selector, int ops) throws Exception {
        channel.configureBlocking(false);
        return channel.register(selector, ops);
    }

    /** Writes until there is no room. @return the number of bytes */
    private static long fill(SocketChannel channel) throws Exception {
        long all = 0;
        int more;
        do {
            more = channel.write(ByteBuffer.allocate(8 << 10));
            all += more;
        } while (more > 0 && all < MUCH);
        assertTrue(all < MUCH, "it is never full");
        return all;
    }

    /** A key with a path has an event, and is selected already. The next selection reports the event of another key, over TCP. */
    @Test
    void aSelectedKeyDoesNotHideAnEventOverTcp() throws Exception {
        assertSame((provider, seen) -> {
            try (Connected fast = Beginning.FAST.connect(provider); Connected plain = Connected.by(provider);
                    Selector selector = provider.openSelector()) {
                register(fast.accepted(), selector, READ);
                write(fast.client(), new byte[] {1});
                assertEquals(1, selector.select());
                SelectionKey key = register(plain.accepted(), selector, READ);
                for (int i = 0; i < TOO_FEW_FOR_AN_OFFER; i++) {
                    assertEquals(0, selector.select());
                    write(plain.client(), new byte[] {1});
                    assertEquals(1, selector.select(), "round " + i);
                    read(plain.accepted(), 1);
                    selector.selectedKeys().remove(key);
                }
            }
        });
    }

    /** An event loop echoes. It sleeps in select before each byte, also while the connection gets its path and while it switches. */
    @Test
    void aLoopSeesNoEmptyReturnWhileTheConnectionSwitches() throws Exception {
        assertSame((provider, seen) -> {
            try (Connected it = Connected.by(provider); Selector selector = provider.openSelector()) {
                register(it.accepted(), selector, READ);
                AtomicInteger empty = new AtomicInteger();
                Background<Integer> echo = Background.call(() -> {
                    int rounds = 0;
                    ByteBuffer buffer = ByteBuffer.allocate(100);
                    for (;;) {
                        if (selector.select() == 0) {
                            empty.incrementAndGet();
                            continue;
                        }
                        selector.selectedKeys().clear();
                        if (it.accepted().read(buffer.clear()) < 0) {
                            return rounds;
                        }
                        it.accepted().write(buffer.flip());
                        rounds++;
                    }
                });
                long[] before = it.countersBefore();
                int[] rounds = {0};
                Await.until(() -> "both directions switch: " + Stats.summary(), () -> {
                    write(it.client(), new byte[] {(byte) rounds[0]});
                    assertEquals((byte) rounds[0]++, read(it.client(), 1)[0]);
                    long[] now = Connected.counters();
                    boolean switched = now[0] >= before[0] + 2 && now[1] >= before[1] + 2;
                    return rounds[0] >= ROUND_TRIPS && (switched || provider == Provider.JDK.get());
                });
                it.client().shutdownOutput();
                assertEquals(rounds[0], echo.result());
                seen.see("empty", empty::get);
            }
        });
    }

    /** Both ends are event loops in one selector, with many connections. */
    @ParameterizedTest
    @EnumSource
    void manyConnectionsOfOneSelectorAreServed(Beginning beginning) throws Exception {
        assertSame((provider, seen) -> {
            List<Connected> all = new ArrayList<>();
            try (Selector selector = provider.openSelector()) {
                for (int i = 0; i < CROWD; i++) {
                    Connected it = beginning.connect(provider);
                    all.add(it);
                    register(it.accepted(), selector, READ).attach(i);
                }
                int[] got = new int[CROWD];
                ByteBuffer buffer = ByteBuffer.allocate(100);
                for (int round = 0; round < 10; round++) {
                    for (int i = round % 3; i < CROWD; i += 3) {
                        write(all.get(i).client(), new byte[] {1, 2});
                    }
                    int expected = (CROWD - round % 3 + 2) / 3;
                    for (int served = 0; served < expected;) {
                        assertTrue(selector.select(LONG) > 0);
                        for (SelectionKey key : selector.selectedKeys()) {
                            int n = ((SocketChannel) key.channel()).read(buffer.clear());
                            got[(int) key.attachment()] += n;
                            served += n == 2 ? 1 : 0;
                        }
                        selector.selectedKeys().clear();
                    }
                    assertEquals(0, selector.selectNow());
                }
                seen.line(Arrays.toString(got));
                all.get(5).client().close();
                seen.see("end", () -> selector.select(LONG)).see("key", () -> selector.selectedKeys().iterator().next().attachment());
            } finally {
                for (Connected each : all) {
                    each.close();
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aFullWindowMakesTheWriterReadyAgainOnceItIsReadInSmallParts(Beginning beginning) throws Exception {
        assertSame((provider, seen) -> {
            try (Connected it = beginning.connect(provider); Selector selector = provider.openSelector()) {
                SelectionKey key = register(it.client(), selector, READ);
                long full = fill(it.client());
                key.interestOps(WRITE);
                seen.see("full", () -> selector.selectNow());
                Background<Integer> selecting = Background.call(() -> selector.select()).blocked();
                int taken = 0;
                while (!selecting.isDone() && taken < full) {
                    int part = (int) Math.min(8 << 10, full - taken);
                    taken += read(it.accepted(), part).length;
                }
                seen.see("ready", selecting).see("ops", key::readyOps).see("takes", () -> it.client().write(ByteBuffer.allocate(1)));
                key.interestOps(READ | WRITE);
                selector.selectedKeys().clear();
                read(it.accepted(), (int) full + 1 - taken);
                it.accepted().write(ByteBuffer.allocate(1));
                Await.until("both", () -> {
                    selector.select(LONG);
                    return key.readyOps() == (READ | WRITE);
                });
            }
        });
    }

    /** What ends a connection, at the peer's end. */
    private interface Ending {
        void of(SocketChannel peer) throws Exception;
    }

    @ParameterizedTest
    @EnumSource
    void anEndMakesKeysReadyInTheSameWay(Beginning beginning) throws Exception {
        assertSame((provider, seen) -> {
            for (boolean full : new boolean[] {false, true}) {
                for (int ops : new int[] {READ, WRITE, READ | WRITE}) {
                    if (!full && ops != READ) {
                        continue; // ready before
                    }
                    for (int kind = 0; kind < 3; kind++) {
                        int which = kind;
                        end(beginning.connect(provider), seen, ops, full, which, peer -> {
                            if (which == 1) {
                                peer.setOption(StandardSocketOptions.SO_LINGER, 0);
                            }
                            if (which == 2) {
                                peer.shutdownOutput();
                            } else {
                                peer.close();
                            }
                        });
                    }
                }
            }
        });
    }

    private static void end(Connected connected, Transcript seen, int ops, boolean full, int kind, Ending ending) throws Exception {
        if (kind == 2 && ops == WRITE) {
            connected.close();
            return; // a half-close does not concern a writer
        }
        try (Connected it = connected; Selector selector = it.client().provider().openSelector()) {
            SelectionKey key = register(it.client(), selector, 0);
            if (full) {
                fill(it.client());
            }
            key.interestOps(ops);
            Background<Integer> selecting = Background.call(() -> selector.select(LONG)).blocked();
            ending.of(it.accepted());
            seen.see((full ? "full " : "") + ops + " kind " + kind, selecting);
            int expected = kind == 2 ? READ : ops;
            Await.until(() -> "ready for " + expected + ", not only " + key.readyOps(), () -> { // the reader may be told of it first
                selector.selectNow();
                return key.readyOps() == expected;
            });
            seen.see("read", () -> it.client().read(ByteBuffer.allocate(1)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void twoSelectorsOfOneChannelAreBothReady(Beginning beginning) throws Exception {
        assertSame((provider, seen) -> {
            try (Connected it = beginning.connect(provider); Selector first = provider.openSelector();
                    Selector second = provider.openSelector()) {
                register(it.accepted(), first, READ);
                SelectionKey other = register(it.accepted(), second, READ);
                for (int i = 0; i < 20; i++) {
                    Background<Integer> one = Background.call(() -> first.select(LONG)).blocked();
                    Background<Integer> two = Background.call(() -> second.select(LONG)).blocked();
                    write(it.client(), new byte[] {1});
                    seen.see("first", one).see("second", two).see("again", () -> first.selectNow());
                    first.selectedKeys().clear();
                    second.selectedKeys().clear();
                    read(it.accepted(), 1);
                    seen.see("read", () -> first.selectNow()).see("read", () -> second.selectNow());
                }
                other.cancel();
                second.selectNow();
                Background<Integer> one = Background.call(() -> first.select(LONG)).blocked();
                write(it.client(), new byte[] {1});
                seen.see("only one", one);
            }
        });
    }

    /** As the JDK's HTTP server: a request comes by the selector, and is read in blocking mode by another thread. */
    @ParameterizedTest
    @EnumSource
    void aChannelFlipsBetweenSelectorAndBlockingReads(Beginning beginning) throws Exception {
        assertSame((provider, seen) -> {
            try (Connected it = beginning.connect(provider); Selector selector = provider.openSelector()) {
                SocketChannel channel = it.accepted();
                int empty = 0;
                for (int i = 0; i < 100; i++) {
                    SelectionKey key = register(channel, selector, READ);
                    write(it.client(), bytes(100));
                    while (selector.select() == 0) {
                        empty++;
                    }
                    selector.selectedKeys().clear();
                    key.cancel();
                    channel.configureBlocking(true);
                    assertEquals(ByteBuffer.wrap(bytes(100)), ByteBuffer.wrap(channel.socket().getInputStream().readNBytes(100)));
                    Background<byte[]> body = Background.call(() -> channel.socket().getInputStream().readNBytes(5_000)).blocked();
                    selector.selectNow(); // deregisters
                    write(it.client(), bytes(5_000));
                    assertEquals(ByteBuffer.wrap(bytes(5_000)), ByteBuffer.wrap(body.result()));
                    channel.socket().getOutputStream().write(bytes(200));
                    assertEquals(ByteBuffer.wrap(bytes(200)), ByteBuffer.wrap(read(it.client(), 200)));
                }
                seen.line("empty " + empty);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aSelectedKeyIsUpdatedInTheSameWay(Beginning beginning) throws Exception {
        assertSame((provider, seen) -> {
            try (Connected it = beginning.connect(provider); Selector selector = provider.openSelector()) {
                SelectionKey key = register(it.accepted(), selector, WRITE);
                seen.see("writable", () -> selector.select()).see("ops", key::readyOps).see("again", () -> selector.select());
                key.interestOps(READ);
                seen.see("read only", () -> selector.selectNow()).see("ops", key::readyOps);
                write(it.client(), bytes(10));
                seen.see("readable", () -> selector.select()).see("ops", key::readyOps).see("again", () -> selector.select());
                key.interestOps(READ | WRITE);
                seen.see("both", () -> selector.select()).see("ops", key::readyOps);
                selector.selectedKeys().remove(key);
                seen.see("removed", () -> selector.select()).see("ops", key::readyOps);
                key.interestOps(0);
                selector.selectedKeys().clear();
                seen.see("none", () -> selector.selectNow()).see("time", () -> selector.select(1));
                key.interestOps(READ);
                read(it.accepted(), 10);
                seen.see("nothing", () -> selector.selectNow()).see("time", () -> selector.select(1));
                write(it.client(), bytes(1));
                seen.see("consumer", () -> selector.select(each -> seen.line("ops " + each.readyOps()), LONG))
                        .see("consumer again", () -> selector.select(each -> seen.line("ops " + each.readyOps()), LONG))
                        .see("selected", () -> selector.selectedKeys().size());
            }
        });
    }

    /** As Netty's: an array, whose {@code contains} knows nothing. */
    private static final class KeyArray extends AbstractSet<SelectionKey> {

        private final List<SelectionKey> keys = new ArrayList<>();

        @Override
        public boolean add(SelectionKey key) {
            return keys.add(key);
        }

        @Override
        public boolean contains(Object key) {
            return false;
        }

        @Override
        public boolean remove(Object key) {
            return false;
        }

        @Override
        public Iterator<SelectionKey> iterator() {
            return keys.iterator();
        }

        @Override
        public int size() {
            return keys.size();
        }

        @Override
        public void clear() {
            keys.clear();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aKeySetLikeNettysHasEachKeyOnce(Beginning beginning) throws Exception {
        assertSame((provider, seen) -> {
            try (Connected it = beginning.connect(provider); Selector selector = provider.openSelector()) {
                KeyArray selected = new KeyArray();
                for (String name : List.of("selectedKeys", "publicSelectedKeys")) {
                    Field field = Class.forName("sun.nio.ch.SelectorImpl").getDeclaredField(name);
                    field.setAccessible(true);
                    field.set(selector, selected);
                }
                SelectionKey key = register(it.accepted(), selector, READ);
                for (int i = 0; i < 200; i++) {
                    key.interestOps(i % 5 == 4 ? READ | WRITE : READ);
                    write(it.client(), new byte[] {1});
                    int ready = i % 5 == 4 ? READ | WRITE : READ;
                    do {
                        selected.clear();
                        assertEquals(1, selector.select(LONG));
                        assertEquals(List.of(key), selected.keys);
                    } while (key.readyOps() != ready); // the byte may come after the room
                    selected.clear();
                    read(it.accepted(), 1);
                    write(it.accepted(), new byte[] {1});
                    read(it.client(), 1);
                    key.interestOps(READ);
                    seen.see("nothing", () -> selector.selectNow()).line(selected.keys.toString());
                }
            }
        });
    }

    /** A selector that is not JFS's waits in the kernel only. So the connection must not leave TCP. */
    @Test
    void aChannelInASelectorOfTheJdkStaysOnTcp() throws Exception {
        long before = Stats.fallbacks(Reason.OTHER_SELECTOR);
        try (Connected it = Connected.by(Provider.JFS.get()); Selector selector = Provider.JDK.get().openSelector()) {
            it.accepted().configureBlocking(false).register(selector, READ);
            ByteBuffer one = ByteBuffer.allocate(1);
            for (int i = 0; i < 1_000; i++) {
                write(it.client(), new byte[] {(byte) i});
                assertEquals(1, selector.select(LONG));
                selector.selectedKeys().clear();
                assertEquals(1, it.accepted().read(one.clear()));
                assertEquals((byte) i, one.get(0));
                assertEquals(1, it.accepted().write(one.flip()));
                assertEquals((byte) i, read(it.client(), 1)[0]);
            }
        }
        assertEquals(before + 1, Stats.fallbacks(Reason.OTHER_SELECTOR));
    }
}
