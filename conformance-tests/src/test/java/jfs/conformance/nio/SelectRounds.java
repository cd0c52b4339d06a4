package jfs.conformance.nio;

import java.io.IOException;
import java.io.InputStream;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jfs.testing.Await;
import jfs.testing.Background;

/**
 * Random rounds of one selection each, with one provider. What a selection returns follows from the rounds before it, not from time:
 * another thread does at most one thing that ends the selection, and only if nothing else ends it.
 */
final class SelectRounds implements AutoCloseable {

    private static final int READ = SelectionKey.OP_READ;
    private static final int KEYS = 5;
    private static final int UNREAD_MAX = 50;
    private static final int[] INTERESTS = {READ, READ, READ, READ, READ, READ, READ, 0, 0, 0, READ | SelectionKey.OP_WRITE};
    /** A selection that is to end before does not wait for it. */
    private static final long LONG = 60_000;
    private static final int SPINS_MAX = 3_000;
    /** So often the other thread acts when the selecting thread has slept for a while. */
    private static final int SELDOM = 16;
    private static final long ASLEEP_NANOS = 60_000;

    private enum Before {
        WAKEUP, BYTE, READ, INTEREST, CANCEL, REGISTER, FORGET
    }

    /** What the other thread does that does not end the selection. */
    private enum Meanwhile {
        NOTHING, READ_IN_VAIN, INTEREST, CANCEL, UNWATCHED_BYTE
    }

    private enum End {
        TIME, WAKEUP, BYTE, CONNECT
    }

    private enum Kind {
        NOW, TIMED, FOR_EVER
    }

    private final Selector selector;
    private final Connected[] connections = new Connected[KEYS];
    private final SocketChannel[] channels = new SocketChannel[KEYS];
    private final SocketChannel[] peers = new SocketChannel[KEYS];
    private final int[] unread = new int[KEYS];
    private final ServerSocketChannel server;
    /** How often a selection has returned no key before its time, though nothing has woken or interrupted it. */
    private int early;

    /** The other thread. */
    private final Semaphore begins = new Semaphore(0);
    private final Semaphore ends = new Semaphore(0);
    private final Background<Void> other;
    private Background.Action action;
    private volatile Throwable failure;
    private volatile boolean isOver;

    /** One of the connections is always over TCP. */
    SelectRounds(SelectorProvider provider, Beginning beginning) throws Exception {
        selector = provider.openSelector();
        for (int i = 0; i < KEYS; i++) {
            Connected it = (i == 0 ? Beginning.FRESH : beginning).connect(provider);
            connections[i] = it;
            channels[i] = i % 2 == 0 ? it.accepted() : it.client(); // bytes come from one end only, so a fresh connection stays over TCP
            peers[i] = i % 2 == 0 ? it.client() : it.accepted();
            peers[i].setOption(StandardSocketOptions.TCP_NODELAY, true); // otherwise TCP may keep bytes back for a while
            channels[i].configureBlocking(false);
            channels[i].register(selector, READ, i);
        }
        server = Connected.listening(provider);
        server.configureBlocking(false);
        server.register(selector, SelectionKey.OP_ACCEPT, KEYS);
        other = Background.run(() -> {
            for (begins.acquire(); !isOver; begins.acquire()) {
                try {
                    action.run();
                } catch (Exception | AssertionError e) {
                    failure = e;
                    selector.wakeup();
                }
                ends.release();
            }
        });
    }

    int early() {
        return early;
    }

    /** @return what the program sees of the round that follows from this seed */
    String play(long seed) throws Exception {
        Random random = new Random(seed);
        StringBuilder seen = new StringBuilder();
        boolean woken = false;
        for (int i = random.nextInt(3); i > 0; i--) {
            woken |= before(random, seen);
        }
        int keys = 0;
        for (int i = 0; i < KEYS; i++) {
            keys += expected(i) != 0 ? 1 : 0;
        }
        if (keys > 1) { // the selection may report one key before it is told of another one, so both are selected now
            int[] selected = new int[KEYS + 1];
            now(false, selected);
            awaitAll(false, selected);
            woken = false;
        }
        boolean ready = woken || keys > 0;
        int ending = random.nextInt(KEYS);
        End end = ready || random.nextInt(2 * SELDOM) == 0 ? End.TIME : End.values()[1 + random.nextInt(End.values().length - 1)];
        if (end == End.BYTE && (interest(ending) & READ) == 0) {
            end = End.WAKEUP;
        }
        Kind kind = ready ? Kind.values()[random.nextInt(3)] : end == End.TIME ? Kind.values()[random.nextInt(2)]
                : Kind.values()[1 + random.nextInt(2)];
        long millis = kind == Kind.FOR_EVER ? 0 : kind == Kind.TIMED && end == End.TIME && !ready ? 1 : LONG;
        Meanwhile meanwhile = Meanwhile.values()[random.nextInt(Meanwhile.values().length)];
        select(seen, kind, millis, random.nextBoolean(), end, woken, meanwhile(meanwhile, random.nextInt(KEYS), ending), ending);
        if (random.nextBoolean()) {
            for (int i = 0; i < KEYS; i++) {
                SelectionKey key = channels[i].keyFor(selector);
                if (key != null && selector.selectedKeys().contains(key) || random.nextInt(4) == 0) {
                    seen.append(" read ").append(read(i));
                }
            }
            selector.selectedKeys().clear();
        }
        return seen.toString();
    }

    /** @return the interest set of a key, without ACCEPT; 0 if there is no key */
    private int interest(int i) {
        SelectionKey key = channels[i].keyFor(selector);
        return key == null || !key.isValid() ? 0 : key.interestOps();
    }

    /** @return for what a key has to be ready now */
    private int expected(int i) {
        return interest(i) & (unread[i] > 0 ? READ | SelectionKey.OP_WRITE : SelectionKey.OP_WRITE);
    }

    private void send(int i) throws Exception {
        peers[i].write(ByteBuffer.allocate(1));
        unread[i]++;
        InputStream in = channels[i].socket().getInputStream();
        Await.until("a byte comes", () -> in.available() >= unread[i]);
    }

    private int read(int i) throws IOException {
        unread[i] = 0;
        return channels[i].read(ByteBuffer.allocate(2 * UNREAD_MAX));
    }

    /** @return whether it is a wakeup */
    private boolean before(Random random, StringBuilder seen) throws Exception {
        Before what = Before.values()[random.nextInt(Before.values().length)];
        int i = random.nextInt(KEYS);
        int ops = INTERESTS[random.nextInt(INTERESTS.length)];
        SelectionKey key = channels[i].keyFor(selector);
        boolean isValid = key != null && key.isValid();
        seen.append(what).append(' ').append(i).append(' ');
        switch (what) {
            case WAKEUP -> selector.wakeup();
            case BYTE -> {
                if (unread[i] < UNREAD_MAX) {
                    send(i);
                }
            }
            case READ -> seen.append(read(i)).append(' ');
            case INTEREST -> {
                if (isValid) {
                    key.interestOps(ops);
                }
            }
            case CANCEL -> {
                if (isValid) {
                    key.cancel();
                }
            }
            case REGISTER -> {
                try {
                    seen.append(isValid ? "" : channels[i].register(selector, READ, i).interestOps()).append(' ');
                } catch (CancelledKeyException e) { // no selection has taken it from the selector yet
                    seen.append(e).append(' ');
                }
            }
            default -> selector.selectedKeys().clear();
        }
        return what == Before.WAKEUP;
    }

    /** @param ending the key whose event may end the selection */
    private Background.Action meanwhile(Meanwhile what, int i, int ending) {
        SelectionKey key = channels[i].keyFor(selector);
        int interest = interest(i);
        boolean isQuiet = i != ending && unread[i] == 0 && (interest & SelectionKey.OP_WRITE) == 0;
        boolean isValid = key != null && key.isValid();
        if (what == Meanwhile.READ_IN_VAIN && isQuiet) {
            return () -> {
                if (channels[i].read(ByteBuffer.allocate(1)) != 0) {
                    throw new AssertionError("there was a byte");
                }
            };
        } else if (what == Meanwhile.INTEREST && isQuiet && isValid) {
            return () -> key.interestOps(interest ^ READ);
        } else if (what == Meanwhile.CANCEL && isQuiet && isValid) {
            return key::cancel;
        } else if (what == Meanwhile.UNWATCHED_BYTE && interest == 0 && unread[i] < UNREAD_MAX) {
            return () -> send(i);
        }
        return null;
    }

    private void select(StringBuilder seen, Kind kind, long millis, boolean consumes, End end, boolean woken, Background.Action meanwhile,
            int ending) throws Exception {
        boolean acts = meanwhile != null || end != End.TIME;
        if (acts) {
            action = () -> {
                if (ThreadLocalRandom.current().nextInt(SELDOM) == 0) {
                    LockSupport.parkNanos(ASLEEP_NANOS);
                }
                for (int spins = ThreadLocalRandom.current().nextInt(SPINS_MAX); spins > 0; spins--) {
                    Thread.onSpinWait();
                }
                if (meanwhile != null) {
                    meanwhile.run();
                }
                end(end, ending);
            };
            begins.release();
        }
        int[] ready = new int[KEYS + 1];
        long began = System.nanoTime();
        int n;
        if (kind == Kind.NOW) {
            n = now(consumes, ready);
        } else {
            n = consumes ? selector.select(key -> note(key, ready), millis) : selector.select(millis);
        }
        long nanos = System.nanoTime() - began;
        if (acts) {
            ends.acquireUninterruptibly();
            if (failure != null) {
                throw new AssertionError("the other thread failed", failure);
            }
        }
        boolean isEarly = n == 0 && kind != Kind.NOW && !woken && end != End.WAKEUP
                && (millis == 0 || nanos < TimeUnit.MILLISECONDS.toNanos(millis));
        early += isEarly ? 1 : 0;
        if (meanwhile != null) {
            now(consumes, ready); // whether the selection takes a cancelled key from the selector depends on time
        }
        awaitAll(consumes, ready);
        seen.append(kind).append(consumes ? " consuming " : " ").append(end).append(isEarly ? ": early " : ": ")
                .append(Arrays.toString(ready));
        if (end == End.CONNECT) {
            server.accept().setOption(StandardSocketOptions.SO_LINGER, 0).close();
            selector.selectedKeys().remove(server.keyFor(selector));
        }
    }

    /**
     * A selection need not report all keys that are ready: the kernel is not asked each time (NIO-3), and news of a path may come to an
     * armed key by another thread. The next selections report the others.
     */
    private void awaitAll(boolean consumes, int[] ready) throws IOException {
        boolean all;
        do {
            for (SelectionKey key : selector.selectedKeys()) {
                if (!consumes) { // otherwise its ready set is that of an earlier selection
                    note(key, ready);
                }
            }
            all = true;
            for (int i = 0; i < KEYS; i++) {
                all &= (expected(i) & ~ready[i]) == 0;
            }
            if (!all) {
                now(consumes, ready);
            }
        } while (!all);
    }

    private int now(boolean consumes, int[] ready) throws IOException {
        return consumes ? selector.selectNow(key -> note(key, ready)) : selector.selectNow();
    }

    private static void note(SelectionKey key, int[] ready) {
        if (key.isValid()) {
            ready[(int) key.attachment()] |= key.readyOps();
        }
    }

    private void end(End end, int i) throws Exception {
        switch (end) {
            case WAKEUP -> selector.wakeup();
            case BYTE -> send(i);
            case CONNECT -> SocketChannel.open(server.getLocalAddress()).setOption(StandardSocketOptions.SO_LINGER, 0).close();
            default -> {
            }
        }
    }

    @Override
    public void close() throws Exception {
        isOver = true;
        begins.release();
        other.result();
        selector.close();
        server.close();
        for (Connected each : connections) {
            each.close();
        }
    }
}
