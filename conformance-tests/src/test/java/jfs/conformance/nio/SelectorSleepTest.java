package jfs.conformance.nio;

import static jfs.conformance.nio.Connected.read;
import static jfs.conformance.nio.Connected.write;
import static jfs.conformance.nio.Provider.assertSame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import jfs.stat.Stats;
import jfs.steps.Step;
import jfs.testing.Await;
import jfs.testing.Background;
import jfs.testing.Effort;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A selector that sleeps is woken by what it waits for, and by nothing else, also if other threads or selectors use its channels meanwhile.
 * A selector of fast connections that has just had news sleeps at words of memory; it has so few of them that not all connections of
 * {@link #CROWD} have one.
 */
@Tag("channels")
class SelectorSleepTest {

    private static final int READ = SelectionKey.OP_READ;
    private static final int WRITE = SelectionKey.OP_WRITE;
    /** A select that should return before does not wait for it. */
    private static final long LONG = 20_000;
    private static final int CROWD = 100;
    /** More than a connection keeps for a reader that does not read. */
    private static final int MUCH = 16 << 20;
    private static final int PART = 64 << 10;
    private static final int SOME = 4 << 10;
    private static final int SPINS_MAX = 1_000;
    /**
     * So often in a row, with pauses, a thread that sleeps has not taken any processor time. The pauses of a test that has waited long add
     * up to 0.3 s. A thread that waits for room over mx takes processor time every 0.5 s, to ask for the peer.
     */
    private static final int LOOKS = 150;
    /** After so many looks at the path alone the next one asks TCP first. */
    private static final int LOOKS_AT_PATH = 63;

    private static SelectionKey register(SocketChannel channel, Selector selector, int ops) throws Exception {
        channel.configureBlocking(false);
        return channel.register(selector, ops);
    }

    /** Writes until there is no room. @return the number of bytes */
    private static int fill(SocketChannel channel) throws Exception {
        int all = 0;
        int more;
        do {
            more = channel.write(ByteBuffer.allocate(PART));
            all += more;
        } while (more > 0 && all < MUCH);
        assertTrue(all < MUCH, "it is never full");
        return all;
    }

    /** The selector sleeps, and is woken by a byte, which stays unread. */
    private static void wakeByByte(Connected it, Selector selector) throws Exception {
        Background<Integer> selecting = Background.call(() -> selector.select(LONG)).blocked();
        write(it.client(), new byte[] {1});
        assertEquals(1, selecting.result());
        selector.selectedKeys().clear();
    }

    /** A thread that looks for news again and again takes processor time all the while. */
    private static void awaitAsleep(Thread thread) throws Exception {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long[] before = {-1};
        int[] looks = {0};
        Await.until(thread + " sleeps", () -> {
            long now = threads.getThreadCpuTime(thread.getId());
            looks[0] = now == before[0] ? looks[0] + 1 : 0;
            before[0] = now;
            return looks[0] >= LOOKS;
        });
    }

    @Test
    void anotherThreadReadsInVainWhileTheSelectorSleeps() throws Exception {
        assertSame((provider, seen) -> {
            try (Connected it = Beginning.FAST.connect(provider); Selector selector = provider.openSelector()) {
                register(it.accepted(), selector, READ);
                for (int i = 0; i < 10; i++) {
                    wakeByByte(it, selector);
                    read(it.accepted(), 1);
                    Background<Integer> selecting = Background.call(() -> selector.select(LONG)).blocked();
                    seen.see("nothing", () -> it.accepted().read(ByteBuffer.allocate(1)));
                    write(it.client(), new byte[] {1});
                    assertEquals(1, selecting.result());
                    selector.selectedKeys().clear();
                    read(it.accepted(), 1);
                }
            }
        });
    }

    @Test
    void anotherThreadWritesInVainWhileTheSelectorSleeps() throws Exception {
        assertSame((provider, seen) -> {
            try (Connected it = Beginning.FAST.connect(provider); Selector selector = provider.openSelector()) {
                register(it.client(), selector, WRITE);
                int unread = 0;
                for (int i = 0; i < 10; i++) {
                    unread += fill(it.client());
                    Background<Integer> selecting = Background.call(() -> selector.select(LONG)).blocked();
                    unread += it.client().write(ByteBuffer.allocate(1)); // TCP's kernel may have got room meanwhile
                    while (!selecting.isDone() && unread > 0) {
                        unread -= read(it.accepted(), Math.min(PART, unread)).length;
                    }
                    assertEquals(1, selecting.result());
                    selector.selectedKeys().clear();
                }
            }
        });
    }

    /** Serves this number of keys, each of which has a byte to read. */
    private static void serve(Selector selector, int number) throws Exception {
        for (int served = 0; served < number;) {
            assertTrue(selector.select(LONG) > 0, "only " + served + " of " + number + " keys are ready");
            for (SelectionKey key : selector.selectedKeys()) {
                assertEquals(1, ((SocketChannel) key.channel()).read(ByteBuffer.allocate(2)));
                served++;
            }
            selector.selectedKeys().clear();
        }
    }

    /** A connection tells the selector also if the program has read it, in vain, since the selector last waited for it. */
    @Test
    void oneOfManyChannelsIsReadInVainBetweenTwoSleeps() throws Exception {
        assertSame((provider, seen) -> {
            List<Connected> all = new ArrayList<>();
            try (Selector selector = provider.openSelector()) {
                for (int i = 0; i < CROWD; i++) {
                    all.add(Beginning.FAST.connect(provider));
                    register(all.get(i).accepted(), selector, READ);
                }
                for (int round = 0; round < 3; round++) {
                    for (int time = 0; time < 2; time++) {
                        for (Connected each : all) {
                            write(each.client(), new byte[] {1});
                        }
                        serve(selector, CROWD);
                    }
                    seen.see("nothing", () -> selector.select(2));
                    for (Connected each : all) {
                        assertEquals(0, each.accepted().read(ByteBuffer.allocate(1)));
                    }
                    for (int i = 0; i < CROWD; i++) {
                        write(all.get((i + round * 37) % CROWD).client(), new byte[] {1});
                        serve(selector, 1);
                    }
                }
            } finally {
                for (Connected each : all) {
                    each.close();
                }
            }
        });
    }

    @Test
    void anotherSelectorOfTheChannelStopsWaiting() throws Exception {
        assertSame((provider, seen) -> {
            try (Connected it = Beginning.FAST.connect(provider); Selector first = provider.openSelector();
                    Selector second = provider.openSelector()) {
                register(it.accepted(), first, READ);
                register(it.accepted(), second, READ);
                for (int i = 0; i < 10; i++) {
                    wakeByByte(it, first);
                    assertEquals(1, second.select(LONG));
                    second.selectedKeys().clear();
                    read(it.accepted(), 1);
                    Background<Integer> selecting = Background.call(() -> first.select(LONG)).blocked();
                    seen.see("no time left", () -> second.select(3));
                    write(it.client(), new byte[] {1});
                    assertEquals(1, selecting.result());
                    assertEquals(1, second.select(LONG));
                    first.selectedKeys().clear();
                    second.selectedKeys().clear();
                    read(it.accepted(), 1);
                }
            }
        });
    }

    /** A byte comes at any moment of the two selections. */
    @Test
    void twoSelectorsOfOneChannelAreBothToldOfEachByte() throws Exception {
        int races = Effort.rounds(2_000, 100_000);
        assertSame((provider, seen) -> {
            try (Connected it = Beginning.FAST.connect(provider); Selector first = provider.openSelector();
                    Selector second = provider.openSelector()) {
                CyclicBarrier barrier = new CyclicBarrier(3);
                AtomicInteger told = new AtomicInteger();
                List<Background<Void>> loops = new ArrayList<>();
                for (Selector each : List.of(first, second)) {
                    register(it.accepted(), each, READ);
                    loops.add(Background.run(() -> {
                        for (int i = 0; i < races; i++) {
                            barrier.await();
                            told.addAndGet(each.select(LONG));
                            each.selectedKeys().clear();
                            barrier.await();
                        }
                    }));
                }
                Random random = new Random(1);
                for (int i = 0; i < races; i++) {
                    barrier.await(2 * LONG, TimeUnit.MILLISECONDS);
                    for (int spins = random.nextInt(SPINS_MAX); spins > 0; spins--) {
                        Thread.onSpinWait();
                    }
                    write(it.client(), new byte[] {1});
                    barrier.await(2 * LONG, TimeUnit.MILLISECONDS);
                    assertEquals(2 * (i + 1), told.get(), "not both selectors were told");
                    read(it.accepted(), 1);
                }
                for (Background<Void> each : loops) {
                    each.result();
                }
            }
        });
    }

    /** While the path is full, TCP has room. The selector has waited for that before the connection switched, and does not any more. */
    @Test
    void aFullPathIsNoReasonToWake() throws Exception {
        assertSame((provider, seen) -> {
            boolean isPlain = provider == Provider.JDK.get();
            try (Connected it = attached(provider); Selector selector = provider.openSelector()) {
                long[] before = Connected.counters();
                register(it.client(), selector, WRITE);
                AtomicInteger selects = new AtomicInteger();
                AtomicInteger empty = new AtomicInteger();
                Background<Void> writing = Background.run(() -> {
                    while (it.client().isOpen()) {
                        fill(it.client());
                        if (selector.select() == 0) {
                            empty.incrementAndGet();
                        }
                        selects.incrementAndGet();
                        selector.selectedKeys().clear();
                    }
                }).blocked();
                Await.until(() -> "the direction switches: " + Stats.summary(), () -> {
                    read(it.accepted(), PART);
                    long[] now = Connected.counters();
                    return now[0] > before[0] && now[1] > before[1] || isPlain; // TCP is empty
                });
                writing.blocked();
                int then = selects.get();
                awaitAsleep(writing.thread());
                seen.line("returns " + (selects.get() - then) + " empty " + empty);
                while (selects.get() == then) { // there is room again
                    read(it.accepted(), PART);
                }
                writing.blocked();
                it.accepted().close(); // the writer is told of the end
                seen.see("the end", () -> {
                    try {
                        return writing.result();
                    } catch (IOException e) {
                        return "an IOException";
                    }
                });
            }
        });
    }

    /** A fresh connection has had its first turnaround, so the client's next request leads to a path. */
    private static Connected turned(SelectorProvider provider) throws Exception {
        Connected it = Connected.by(provider);
        write(it.client(), new byte[] {1});
        read(it.accepted(), 1);
        write(it.accepted(), new byte[] {1});
        read(it.client(), 1);
        return it;
    }

    /**
     * Both ends of a fresh connection have got their paths, and no thread has read since. So a direction can't have switched, and may
     * switch once its reader has looked for bytes. The thread that makes the offer is held until the byte that leads to the offer is read.
     */
    private static Connected attached(SelectorProvider provider) throws Exception {
        boolean isPlain = provider == Provider.JDK.get();
        Connected it = turned(provider);
        long attached = Stats.ATTACHED.sum();
        Background<Void> requesting;
        try (StepGate.Gate gate = new StepGate.Gate(Step.OFFER_DUE)) {
            requesting = Background.run(() -> {
                gate.holdThisThread();
                write(it.client(), new byte[] {1});
            });
            read(it.accepted(), 1);
            if (!isPlain) {
                gate.awaitReached();
            }
        }
        requesting.result();
        Await.until(() -> "both ends get the path: " + Stats.summary(), () -> isPlain || Stats.ATTACHED.sum() >= attached + 2);
        return it;
    }

    /** The program changes the interest set during a select. The connection gets its path during the next one. */
    @Test
    void anInterestThatIsOlderThanThePathIsWatchedThere() throws Exception {
        assertSame((provider, seen) -> {
            boolean isPlain = provider == Provider.JDK.get();
            long attached = Stats.ATTACHED.sum();
            try (Connected it = turned(provider); Selector selector = provider.openSelector();
                    StepGate.Gate gate = new StepGate.Gate(Step.OFFER_DUE)) {
                SelectionKey key = register(it.accepted(), selector, 0);
                Background<Integer> selecting = Background.call(() -> selector.select()).blocked();
                key.interestOps(READ);
                selector.wakeup();
                assertEquals(0, selecting.result());
                Background<Void> requesting = Background.run(() -> {
                    gate.holdThisThread();
                    write(it.client(), new byte[] {1});
                });
                read(it.accepted(), 1);
                if (!isPlain) {
                    gate.awaitReached();
                }
                selecting = Background.call(() -> selector.select(LONG)).blocked();
                gate.close();
                requesting.result();
                Await.until(() -> "both ends get the path: " + Stats.summary(), () -> isPlain || Stats.ATTACHED.sum() >= attached + 2);
                assertEquals(0, it.accepted().read(ByteBuffer.allocate(1))); // from now on the peer may switch
                awaitAsleep(selecting.thread());
                long switched = Stats.SWITCHED_OUT.sum();
                write(it.client(), new byte[] {1});
                assertTrue(isPlain || Stats.SWITCHED_OUT.sum() > switched, "the byte goes by the path");
                seen.see("selected", selecting);
            }
        });
    }

    private static Field field(Class<?> type, String name) throws Exception {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    /**
     * Another thread holds the channel's read lock while the selector first looks at a connection that has got its path. This selector does
     * not poll, which would be one more look.
     */
    @Test
    void aPathThatTheSelectorCouldNotTakeIsTakenLater() throws Exception {
        assertSame((provider, seen) -> {
            boolean isPlain = provider == Provider.JDK.get();
            long attached = Stats.ATTACHED.sum();
            try (Connected it = turned(provider); Selector selector = provider.openSelector()) {
                write(it.client(), new byte[] {1});
                Await.until(() -> "both ends get the path: " + Stats.summary(), () -> isPlain || Stats.ATTACHED.sum() >= attached + 2);
                register(it.client(), selector, READ);
                Lock lock = (Lock) field(Class.forName("sun.nio.ch.SocketChannelImpl"), "readLock").get(it.client());
                if (!isPlain) {
                    field(selector.getClass(), "hasWaiting").set(selector, true);
                }
                CountDownLatch held = new CountDownLatch(1);
                CountDownLatch looked = new CountDownLatch(1);
                Background<Void> reading = Background.run(() -> {
                    lock.lock();
                    try {
                        held.countDown();
                        looked.await();
                    } finally {
                        lock.unlock();
                    }
                });
                held.await();
                for (int i = 0; i < LOOKS_AT_PATH; i++) {
                    assertEquals(0, selector.selectNow());
                }
                looked.countDown();
                reading.result();
                Background<Integer> selecting = Background.call(() -> selector.select(LONG));
                awaitAsleep(selecting.thread());
                long switched = Stats.SWITCHED_OUT.sum();
                write(it.accepted(), new byte[] {1});
                assertTrue(isPlain || Stats.SWITCHED_OUT.sum() > switched, "the byte goes by the path");
                seen.see("selected", selecting);
            }
        });
    }

    /** Several threads may read at once. None of them waits for a byte that another one has taken. @return whether there was a byte */
    private static boolean readSome(SocketChannel from, int most, AtomicInteger unread) throws Exception {
        int some = Math.min(most, unread.getAndUpdate(all -> Math.max(0, all - most)));
        read(from, some);
        return some > 0;
    }

    /** While the selector asks the kernel, the peer reads from TCP until there is room. */
    private static void readWhileTheKernelIsAsked(Selector selector, SocketChannel peer, AtomicInteger unread) throws Exception {
        Field waiting = field(selector.getClass(), "waiting");
        Class<?> type = waiting.getType();
        Object real = waiting.get(selector);
        waiting.set(selector, Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            Object result = method.invoke(real, arguments);
            while (method.getName().equals("kernelHasEvent") && Boolean.FALSE.equals(result) && readSome(peer, SOME, unread)) {
                result = method.invoke(real, arguments);
            }
            return result;
        }));
        field(selector.getClass(), "sleepsAtWords").set(selector, 1);
    }

    /** The program writes to the path before the selector was told of it. While the path is full, TCP gets room. */
    @Test
    void roomInTcpIsNoneForAFullPathWhenItComesLate() throws Exception {
        assertSame((provider, seen) -> {
            boolean isPlain = provider == Provider.JDK.get();
            try (Connected it = attached(provider); Selector selector = provider.openSelector()) {
                SelectionKey key = register(it.client(), selector, WRITE);
                AtomicInteger unread = new AtomicInteger(fill(it.client()));
                seen.see("full", () -> selector.select(2));
                unread.addAndGet(-read(it.accepted(), 1).length); // from now on the program may switch
                long switched = Stats.SWITCHED_OUT.sum();
                unread.addAndGet(fill(it.client()));
                assertTrue(isPlain || Stats.SWITCHED_OUT.sum() > switched, "the bytes go by the path");
                if (!isPlain) {
                    readWhileTheKernelIsAsked(selector, it.accepted(), unread);
                }
                key.interestOps(0).interestOps(WRITE); // the next selection looks at it, and asks the kernel
                Background<Integer> selecting = Background.call(() -> selector.select(LONG)).blocked();
                while (!selecting.isDone() && readSome(it.accepted(), PART, unread)) {
                }
                seen.see("selected", selecting);
            }
        });
    }
}
