package jfs.conformance.nio;

import static jfs.conformance.nio.Provider.assertSame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import jfs.conformance.harness.Transcript;
import jfs.testing.Await;
import jfs.testing.Background;
import jfs.testing.Effort;
import jfs.testing.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A program can't tell JFS's selectors from the JDK's. */
@Tag("channels")
@SuppressWarnings("try") // a program closes before its end, too
class SelectorTest {

    private static final int READ = SelectionKey.OP_READ;
    private static final int WRITE = SelectionKey.OP_WRITE;
    /** A select that should return before does not wait for it. */
    private static final long LONG = 60_000;

    private static ByteBuffer bytes(int length) {
        return ByteBuffer.allocate(length);
    }

    /** The ready sets of the selected keys in the order of their channels' attachments, which are numbers. */
    private static String selected(Selector selector) {
        List<String> all = new ArrayList<>();
        for (SelectionKey key : selector.selectedKeys()) {
            all.add(key.attachment() + ":" + (key.isValid() ? key.readyOps() : "cancelled"));
        }
        all.sort(null);
        return all.toString();
    }

    private static SelectionKey register(SocketChannel channel, Selector selector, int ops, Object attachment) throws Exception {
        channel.configureBlocking(false);
        return channel.register(selector, ops, attachment);
    }

    @ParameterizedTest
    @EnumSource
    void keysAreTheSame(Beginning beginning) throws Exception {
        assertSame((provider, seen) -> {
            try (Connected it = beginning.connect(provider, seen); Selector selector = provider.openSelector()) {
                SelectionKey key = register(it.accepted(), selector, READ, 1);
                seen.see("key", () -> key.toString().replaceAll("@[0-9a-f]+", "")).see("channel", () -> key.channel() == it.accepted())
                        .see("selector", () -> key.selector() == selector).see("for", () -> it.accepted().keyFor(selector) == key)
                        .see("registered", it.accepted()::isRegistered).see("keys", () -> selector.keys().size())
                        .see("again", () -> it.accepted().register(selector, READ | WRITE, 2) == key).see("ops", () -> key.interestOps())
                        .see("attachment", () -> key.attachment()).see("no such op", () -> key.interestOps(SelectionKey.OP_ACCEPT))
                        .see("or", () -> key.interestOpsOr(READ)).see("and", () -> key.interestOpsAnd(READ))
                        .see("now", () -> key.interestOps())
                        .see("add", () -> selector.selectedKeys().add(key)).see("keys", () -> selector.keys().remove(key))
                        .see("provider", () -> selector.provider() == provider).see("open", selector::isOpen)
                        .see("text", () -> selector.toString().replaceAll("@[0-9a-f]+", ""));
                key.cancel();
                key.cancel();
                seen.see("valid", key::isValid).see("ops", () -> key.interestOps()).see("ready", key::isReadable)
                        .see("registered", it.accepted()::isRegistered).see("too early", () -> it.accepted().register(selector, READ))
                        .see("select", () -> selector.selectNow()).see("registered", it.accepted()::isRegistered)
                        .see("again", () -> it.accepted().register(selector, READ).interestOps());
                selector.close();
                seen.see("closed", () -> selector.selectNow()).see("keys", selector::keys)
                        .see("wakeup", () -> selector.wakeup() == selector)
                        .see("register", () -> it.accepted().register(selector, READ)).see("registered", it.accepted()::isRegistered)
                        .see("reads", () -> it.accepted().read(bytes(1)));
                selector.close();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void selectionsAreTheSame(Beginning beginning) throws Exception {
        assertSame((provider, seen) -> {
            try (Connected it = beginning.connect(provider); Selector selector = provider.openSelector()) {
                SelectionKey key = register(it.accepted(), selector, READ, 1);
                it.server().configureBlocking(false);
                it.server().register(selector, SelectionKey.OP_ACCEPT, 2);
                seen.see("nothing", () -> selector.selectNow()).see("nothing", () -> selector.select(1));
                it.client().write(bytes(2));
                seen.see("data", () -> selector.select(LONG)).see("selected", () -> selected(selector))
                        .see("again", () -> selector.select(LONG)).see("now", () -> selector.selectNow());
                selector.selectedKeys().clear();
                it.accepted().read(bytes(1));
                seen.see("rest", () -> selector.select()).see("selected", () -> selected(selector));
                key.interestOps(READ | WRITE);
                seen.see("more", () -> selector.select()).see("selected", () -> selected(selector))
                        .see("no more", () -> selector.selectNow());
                key.interestOps(0);
                selector.selectedKeys().clear();
                seen.see("no interest", () -> selector.selectNow());
                try (SocketChannel second = provider.openSocketChannel()) {
                    second.connect(it.server().getLocalAddress());
                    List<String> consumed = new ArrayList<>();
                    seen.see("consumed", () -> selector.select(each -> consumed.add(each.attachment() + ":" + each.readyOps()), LONG))
                            .line(consumed.toString()).see("selected", () -> selected(selector));
                    key.interestOps(READ);
                    seen.see("thrown", () -> selector.select(each -> {
                        throw new IllegalStateException("by the program");
                    })).see("usable", () -> selector.select(each -> consumed.add(each.attachment() + "")) > 0)
                            .see("nested", () -> selector.select(each -> {
                                try {
                                    selector.selectNow();
                                } catch (Exception e) {
                                    throw new IllegalStateException(e.toString());
                                }
                            })).see("negative", () -> selector.select(-1)).see("null", () -> selector.select(null, 1));
                    it.server().accept().close();
                }
                it.client().close();
                seen.see("end", () -> selector.select()).see("selected", () -> selected(selector))
                        .see("read", () -> it.accepted().read(bytes(9)))
                        .see("read", () -> it.accepted().read(bytes(9)));
                it.accepted().close();
                seen.see("closed", () -> selector.selectNow()).see("keys", () -> selector.keys().size());
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void connectionsBecomeReadyInTheSameWay(Beginning beginning) throws Exception {
        assertSame((provider, seen) -> {
            try (Connected it = beginning.connect(provider); Selector selector = provider.openSelector();
                    SocketChannel pending = provider.openSocketChannel(); SocketChannel refused = provider.openSocketChannel()) {
                SelectionKey unconnected = register(refused, selector, SelectionKey.OP_CONNECT | READ, 1);
                seen.see("unconnected", () -> selector.selectNow()).see("selected", () -> selected(selector));
                selector.selectedKeys().clear();
                unconnected.cancel();
                register(pending, selector, SelectionKey.OP_CONNECT, 2);
                pending.connect(it.server().getLocalAddress());
                seen.see("connected", () -> selector.select(LONG)).see("selected", () -> selected(selector))
                        .see("finish", pending::finishConnect);
                InetSocketAddress gone = (InetSocketAddress) it.server().getLocalAddress();
                it.close();
                selector.selectedKeys().clear();
                register(refused, selector, SelectionKey.OP_CONNECT, 3);
                refused.connect(gone);
                seen.see("refused", () -> selector.select(LONG)).see("finish", refused::finishConnect).see("open", refused::isOpen);
            }
        });
    }

    /** What ends a select that another thread is in. */
    private interface Ending {
        void act(Background<Integer> selecting, Selector selector, Connected connected) throws Exception;
    }

    @ParameterizedTest
    @EnumSource
    void aSelectEndsInTheSameWay(Beginning beginning) throws Exception {
        assertSame((provider, seen) -> {
            ending(beginning, provider, seen, "wakeup", (selecting, selector, it) -> selector.wakeup());
            ending(beginning, provider, seen, "wakeup twice", (selecting, selector, it) -> selector.wakeup().wakeup());
            ending(beginning, provider, seen, "interrupt", (selecting, selector, it) -> selecting.thread().interrupt());
            ending(beginning, provider, seen, "close of the selector", (selecting, selector, it) -> selector.close());
            ending(beginning, provider, seen, "data", (selecting, selector, it) -> it.client().write(bytes(1)));
            ending(beginning, provider, seen, "end", (selecting, selector, it) -> it.client().shutdownOutput());
            ending(beginning, provider, seen, "cancel", (selecting, selector, it) -> {
                it.accepted().keyFor(selector).cancel();
                selector.wakeup();
            });
            ending(beginning, provider, seen, "close of the channel", (selecting, selector, it) -> {
                it.accepted().close();
                selector.wakeup();
            });
            ending(beginning, provider, seen, "interest that the select does not see", (selecting, selector, it) -> {
                it.accepted().keyFor(selector).interestOps(READ | WRITE);
                selector.wakeup();
            });
            try (Selector selector = provider.openSelector()) {
                selector.wakeup();
                seen.see("wakeup before", () -> selector.select()).see("once", () -> selector.selectNow());
                Thread.currentThread().interrupt();
                seen.see("interrupt before", () -> selector.select()).see("kept", Thread::interrupted);
                selector.wakeup();
                seen.see("wakeup and now", () -> selector.selectNow()).see("consumed", () -> selector.select(1));
            }
        });
    }

    private static void ending(Beginning beginning, SelectorProvider provider, Transcript seen, String what, Ending ending)
            throws Exception {
        try (Connected it = beginning.connect(provider); Selector selector = provider.openSelector()) {
            register(it.accepted(), selector, READ, 1);
            Background<Integer> selecting = Background.call(() -> {
                int count = selector.select();
                return Thread.interrupted() ? -1 - count : count;
            }).blocked();
            ending.act(selecting, selector, it);
            seen.see(what, selecting);
            try {
                seen.line(selected(selector)).see("after", () -> selector.selectNow()).line(selected(selector));
            } catch (ClosedSelectorException e) {
                seen.line("closed");
            }
        }
    }

    /** JFS's selector with channels that are not JFS's, and the other way round. */
    @Test
    void channelsOfOtherKindsAreServedInTheSameWay() throws Exception {
        SelectorProvider jdk = Provider.JDK.get();
        SelectorProvider jfs = Provider.JFS.get();
        assertEquals(others(jdk, jdk), others(jdk, jfs));
        assertEquals(others(jdk, jdk), others(jfs, jdk));
        assertEquals(others(jdk, jdk), others(jfs, jfs));
    }

    private static String others(SelectorProvider channels, SelectorProvider selectors) throws Exception {
        Transcript seen = new Transcript();
        Pipe pipe = channels.openPipe();
        try (Connected it = Connected.by(channels); Selector selector = selectors.openSelector();
                Pipe.SourceChannel source = pipe.source(); Pipe.SinkChannel sink = pipe.sink();
                DatagramChannel datagrams = channels.openDatagramChannel()) {
            register(it.accepted(), selector, READ, 1);
            source.configureBlocking(false).register(selector, READ, 2);
            datagrams.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).configureBlocking(false).register(selector, READ, 3);
            sink.write(bytes(1));
            seen.see("pipe", () -> selector.select()).see("selected", () -> selected(selector));
            datagrams.send(bytes(1), datagrams.getLocalAddress());
            seen.see("datagram", () -> selector.select()).see("selected", () -> selected(selector));
            it.client().write(bytes(1));
            seen.see("connection", () -> selector.select()).see("selected", () -> selected(selector));
        }
        return seen.toString();
    }

    /** The same random operations on both, one after the other; after each the same keys have to become ready. */
    @ParameterizedTest
    @EnumSource
    void randomOperationsHaveTheSameReadySets(Beginning beginning) throws Exception {
        long seed = Long.getLong("channels.seed", System.nanoTime());
        Random random = Seeds.random(seed);
        List<String> done = new ArrayList<>();
        try (RandomWorld jdk = new RandomWorld(Provider.JDK.get(), beginning);
                RandomWorld jfs = new RandomWorld(Provider.JFS.get(), beginning)) {
            for (int i = 0; i < Effort.rounds(2_000, 200_000); i++) {
                RandomWorld.Operation operation = RandomWorld.next(random);
                String expected = jdk.perform(operation);
                done.add(operation + " " + expected);
                assertEquals(expected, jfs.perform(operation), () -> message(seed, done));
                String[] ready = new String[2];
                Await.until(() -> message(seed, done) + "\nthe JDK's ready set " + ready[0] + "\nJFS's           " + ready[1], () -> {
                    ready[0] = jdk.ready(operation.consumes());
                    ready[1] = jfs.ready(operation.consumes());
                    return ready[0].equals(ready[1]);
                });
            }
            assertTrue(jdk.transferred() > 0);
        }
    }

    private static String message(long seed, List<String> done) {
        String last = done.get(done.size() - 1);
        String connection = last.replaceAll(".*( connection=\\d+,).*", "$1");
        return "-Dchannels.seed=" + seed + Effort.asOptions() + ", after " + done.size() + " operations, of the last one's connection\n"
                + done.stream().filter(it -> it.contains(connection)).collect(Collectors.joining("\n")) + "\nand the last ones of all\n"
                + String.join("\n", done.subList(Math.max(0, done.size() - 20), done.size()));
    }
}
