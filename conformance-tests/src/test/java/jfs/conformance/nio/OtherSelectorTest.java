package jfs.conformance.nio;

import static jfs.conformance.nio.Connected.read;
import static jfs.conformance.nio.Connected.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import jfs.stat.Reason;
import jfs.stat.Stats;
import jfs.testing.Background;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Channels of JFS's provider become ready in selectors that are not JFS's, whether their connections have a path or not. */
@Tag("channels")
class OtherSelectorTest {

    private static final int READ = SelectionKey.OP_READ;
    private static final int WRITE = SelectionKey.OP_WRITE;
    private static final long LONG = 60_000;
    private static final int ROUND_TRIPS = 300;
    /** A selector of the JDK is woken for news of a path. So many selects in a row may return 0 before the event is reported. */
    private static final int EARLY_MAX = 4;
    /** While one of JFS's selectors looks at the same connection in another thread, the path can't be armed now and then. */
    private static final int EARLY_BESIDE_MAX = 100;

    private static SelectionKey register(SocketChannel channel, Selector selector, int ops) throws Exception {
        channel.configureBlocking(false);
        return channel.register(selector, ops);
    }

    private static void selectOne(Selector selector, int earlyMax) throws Exception {
        for (int early = 0; selector.select(LONG) == 0; early++) {
            assertTrue(early < earlyMax, "no event");
        }
    }

    /** One of the two kinds of selectors that the JDK has; the channel may be in one of JFS's too. */
    @ParameterizedTest
    @CsvSource({"EPollSelectorProvider, false", "EPollSelectorProvider, true", "PollSelectorProvider, false"})
    void aChannelThatHasAPathBecomesReadyInASelectorOfTheJdk(String name, boolean isInOneOfJfs) throws Exception {
        SelectorProvider jdks = (SelectorProvider) Class.forName("sun.nio.ch." + name).getConstructor().newInstance();
        try (Connected it = Beginning.FAST.connect(Provider.JFS.get()); Selector selector = jdks.openSelector();
                Selector own = Provider.JFS.get().openSelector()) {
            if (isInOneOfJfs) {
                register(it.accepted(), own, READ);
                assertEquals(0, own.selectNow());
            }
            int most = isInOneOfJfs ? EARLY_BESIDE_MAX : EARLY_MAX;
            SelectionKey key = register(it.accepted(), selector, READ);
            for (int i = 0; i < ROUND_TRIPS; i++) {
                key.interestOps(i % 3 == 0 ? READ | WRITE : READ);
                if (i % 3 == 0) {
                    selectOne(selector, most);
                    assertEquals(WRITE, key.readyOps());
                    selector.selectedKeys().clear();
                    key.interestOps(READ);
                }
                Background<Void> selecting = Background.run(() -> selectOne(selector, most));
                Background<Integer> alsoSelecting = isInOneOfJfs ? Background.call(() -> own.select(LONG)) : null;
                if (i % 10 == 0) {
                    selecting.blocked();
                }
                write(it.client(), new byte[] {(byte) i});
                selecting.result();
                assertEquals(READ, key.readyOps());
                selector.selectedKeys().clear();
                if (isInOneOfJfs) {
                    assertEquals(1, alsoSelecting.result());
                    own.selectedKeys().clear();
                }
                assertEquals((byte) i, read(it.accepted(), 1)[0]);
                write(it.accepted(), new byte[] {(byte) i});
                assertEquals((byte) i, read(it.client(), 1)[0]);
            }
            key.cancel();
            assertEquals(0, selector.selectNow());
            write(it.client(), new byte[] {1});
            assertEquals(1, read(it.accepted(), 1)[0]);
            register(it.accepted(), selector, READ);
            it.client().close();
            selectOne(selector, most);
            assertEquals(-1, it.accepted().read(ByteBuffer.allocate(1)));
        }
    }

    /** A connection that has no path yet does not get one, also if one of JFS's selectors has the channel before. */
    @Test
    void aChannelInSelectorsOfJfsAndOfTheJdkStaysOnTcp() throws Exception {
        long before = Stats.fallbacks(Reason.OTHER_SELECTOR);
        try (Connected it = Connected.by(Provider.JFS.get()); Selector own = Provider.JFS.get().openSelector();
                Selector selector = Provider.JDK.get().openSelector()) {
            register(it.accepted(), own, READ);
            assertEquals(0, own.selectNow());
            register(it.accepted(), selector, READ);
            for (int i = 0; i < ROUND_TRIPS; i++) {
                write(it.client(), new byte[] {(byte) i});
                assertEquals(1, selector.select(LONG));
                selector.selectedKeys().clear();
                assertEquals(1, own.select(LONG));
                own.selectedKeys().clear();
                assertEquals((byte) i, read(it.accepted(), 1)[0]);
                write(it.accepted(), new byte[] {(byte) i});
                assertEquals((byte) i, read(it.client(), 1)[0]);
            }
        }
        assertEquals(before + 1, Stats.fallbacks(Reason.OTHER_SELECTOR));
    }
}
