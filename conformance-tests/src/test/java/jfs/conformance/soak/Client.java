package jfs.conformance.soak;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import jfs.conformance.harness.EndKind;
import jfs.conformance.soak.transfer.ChannelTransfer;
import jfs.conformance.soak.transfer.EventLoops;
import jfs.conformance.soak.transfer.SocketTransfer;
import jfs.conformance.soak.transfer.Transfer;

/** The connecting ends of all conversations that one process begins. */
final class Client {

    /** The number of loopback addresses at which clients reach a wildcard listener. */
    private static final int ADDRESSES = 4;
    private static final EndKind[] ENDS = EndKind.values();

    private final int number;
    private final Book book;
    private final Threads threads;
    /** Null in a process without channels. */
    private final EventLoops loops;
    private final List<Target> targets = new CopyOnWriteArrayList<>();
    private final AtomicLong begun = new AtomicLong();
    private final Gate gate = new Gate();
    private volatile boolean resting = true;
    private final AtomicLong flows = new AtomicLong();

    /**
     * A server's number and ports.
     *
     * @param channelPort of the listener whose accepted ends are channels; 0 for none
     */
    record Target(int server, int port, int channelPort) {

        int port(Random random) {
            return channelPort != 0 && random.nextBoolean() ? channelPort : port;
        }
    }

    /**
     * @param number of this process, which it sends to its servers
     * @param loops null if all ends are sockets
     */
    Client(int number, Book book, Threads threads, EventLoops loops) {
        this.number = number;
        this.book = book;
        this.threads = threads;
        this.loops = loops;
    }

    void add(Target target) {
        targets.add(target);
    }

    void remove(int server) {
        targets.removeIf(target -> target.server == server);
    }

    /**
     * Begins three kinds of conversations: any, short ones, and idle ones.
     *
     * @param atOnce how many conversations of any kind there are at any time
     * @param shortOnes how many short ones to begin each second
     * @param idle how many idle ones there are at any time
     */
    void begin(long seed, int atOnce, int shortOnes, int idle) {
        Random seeds = new Random(seed);
        gate.close();
        resting = false;
        flow("any", Kind::any, atOnce, Integer.MAX_VALUE, seeds.nextLong());
        flow("short", random -> Kind.SHORT, 64, shortOnes, seeds.nextLong());
        flow("idle", random -> Kind.IDLE, idle, 50, seeds.nextLong());
    }

    /** Begins no more conversations. Those under way come to their ends. */
    void rest() {
        resting = true;
        gate.open();
    }

    boolean isAtRest() {
        return flows.get() == 0 && book.open() == 0;
    }

    /** Begins conversations that stay until {@link #rest}. */
    void hold(int count, long seed) {
        gate.close();
        Random random = new Random(seed);
        for (int i = 0; i < count; i++) {
            begin(Kind.HELD, random.nextLong(), () -> { });
        }
    }

    int held() {
        return gate.waiting();
    }

    private void flow(String name, Function<Random, Kind> kinds, int most, int aSecond, long seed) {
        if (most == 0 || aSecond == 0) {
            return;
        }
        flows.incrementAndGet();
        Thread thread = new Thread(() -> {
            try {
                flow(kinds, most, aSecond, new Random(seed));
            } finally {
                flows.decrementAndGet();
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** A conversation that can't be begun in time is left out. */
    private void flow(Function<Random, Kind> kinds, int most, int aSecond, Random random) {
        Semaphore places = new Semaphore(most);
        long next = System.nanoTime();
        while (!resting) {
            places.acquireUninterruptibly();
            long now = System.nanoTime();
            if (next > now) {
                LockSupport.parkNanos(next - now);
            }
            next = Math.max(now, next) + TimeUnit.SECONDS.toNanos(1) / aSecond;
            begin(kinds.apply(random), random.nextLong(), places::release);
        }
    }

    private void begin(Kind kind, long seed, Runnable atEnd) {
        Random random = new Random(~seed);
        boolean virtual = random.nextBoolean() && Threads.areVirtualHere();
        Target target = targets.get(random.nextInt(targets.size()));
        threads.of(virtual).execute(() -> {
            try {
                converse(kind, seed, target, virtual);
            } finally {
                atEnd.run();
            }
        });
    }

    private void converse(Kind kind, long seed, Target target, boolean virtual) {
        long count = begun.incrementAndGet();
        String id = Server.id(number, count);
        Random random = new Random(seed);
        EndKind end = loops == null ? EndKind.SOCKET : ENDS[random.nextInt(ENDS.length)];
        int port = target.port(random);
        History history = book.begin(id, "client: " + kind + " seed " + seed + " by a " + end + " to port " + port + " of " + target
                + (virtual ? " virtual" : ""));
        try (Transfer transfer = connect(end, new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0,
                (byte) (1 + random.nextInt(ADDRESSES))}), port), virtual, random)) {
            history.add("connected from port", transfer.localPort());
            transfer.noDelay(random.nextBoolean());
            transfer.write(Server.header(kind, number, count, seed));
            kind.client(new End(transfer, seed, true, threads.of(virtual), history, book), gate);
        } catch (IOException e) {
            book.problem(new Book.Problem(id, target.server, "client: " + e));
        } catch (Throwable e) {
            book.problem(new Book.Problem(id, Book.Problem.NOBODY, "client: " + e));
        } finally {
            book.end(id);
        }
    }

    private Transfer connect(EndKind end, InetSocketAddress to, boolean virtual, Random random) throws IOException {
        return switch (end) {
            case SOCKET -> new SocketTransfer(new Socket(to.getAddress(), to.getPort()), virtual);
            case CHANNEL -> new ChannelTransfer(SocketChannel.open(to), random);
            case SELECTOR -> loops.connect(to, random);
        };
    }
}
