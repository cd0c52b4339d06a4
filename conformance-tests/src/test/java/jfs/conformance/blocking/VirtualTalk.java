package jfs.conformance.blocking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import jfs.conformance.harness.Bytes;
import jfs.testing.Background;
import jfs.testing.Seeds;
import jfs.testing.VirtualThreads;

/**
 * One connection with which virtual threads do what follows from a seed: one writes and one reads at each end, in turns or all the time. A
 * further one may end the connection in the middle. Each byte that comes is checked.
 */
final class VirtualTalk implements AutoCloseable {

    private static final int BYTES_MAX = 1_500_000;
    private static final int TURNS_MAX = 150;
    private static final int SMALL_MAX = 600;
    private static final int LARGE_MAX = 200_000;

    /** How a talk ends: each end says that no more comes, or a thread that takes no part ends it. */
    private enum Ending {
        HALF_CLOSE, CLOSE, CLOSE_WITH_RESET, INTERRUPT
    }

    private final long seed;
    private final Socket near;
    private final Socket far;
    private final Ending ending;
    /** Whether the ends take turns: each write waits for the bytes of the peer that came before it in the script. */
    private final boolean inTurns;
    private final CountDownLatch middle = new CountDownLatch(1);
    private final long middleAt;
    private final List<Background<?>> threads = new ArrayList<>();

    VirtualTalk(long seed, Socket near, Socket far) throws IOException {
        this.seed = seed;
        this.near = near;
        this.far = far;
        Random random = Seeds.random(seed);
        ending = random.nextBoolean() ? Ending.HALF_CLOSE : Ending.values()[random.nextInt(Ending.values().length)];
        inTurns = random.nextInt(3) > 0;
        middleAt = random.nextInt(inTurns ? TURNS_MAX * SMALL_MAX / 8 : BYTES_MAX / 2);
        for (Socket end : List.of(near, far)) {
            // Without a time-out, which most of them have not, nothing but the wake-up ends a sleep.
            end.setSoTimeout(random.nextInt(3) == 0 ? 1 + random.nextInt(20) : 0);
            end.setTcpNoDelay(random.nextBoolean());
        }
    }

    /** Starts the threads. */
    VirtualTalk start() {
        if (inTurns) {
            start(() -> takeTurns(near, 0));
            start(() -> takeTurns(far, 1));
        } else {
            start(() -> write(near, 0));
            start(() -> write(far, 1));
            start(() -> read(near, 1));
            start(() -> read(far, 0));
        }
        if (ending != Ending.HALF_CLOSE) {
            Background<?> victim = threads.get((int) (seed & 0xFF) % threads.size());
            Socket closed = (seed & 0x100) == 0 ? near : far;
            threads.add(VirtualThreads.run(() -> {
                middle.await();
                switch (ending) {
                    case INTERRUPT -> victim.thread().interrupt();
                    case CLOSE_WITH_RESET -> {
                        closed.setSoLinger(true, 0);
                        closed.close();
                    }
                    default -> closed.close();
                }
            }));
        }
        return this;
    }

    private void start(Background.Action action) {
        threads.add(VirtualThreads.run(() -> {
            try {
                action.run();
            } catch (SocketException e) { // no time-out is one
                if (ending == Ending.HALF_CLOSE) {
                    throw e;
                }
            } finally {
                middle.countDown(); // or the thread that ends the talk would wait for ever
            }
        }));
    }

    /** Waits until all threads have ended. */
    void end() throws Exception {
        for (Background<?> thread : threads) {
            thread.result();
        }
    }

    // Both ends all the time: a direction has a number, from which its bytes and their sizes follow.

    private void write(Socket end, int direction) throws IOException {
        Random random = Seeds.random(seed * 2 + direction);
        OutputStream out = end.getOutputStream();
        long total = random.nextInt(BYTES_MAX);
        for (long at = 0; at < total;) {
            byte[] bytes = Bytes.of(seed + direction, at, (int) Math.min(total - at, size(random)));
            out.write(bytes);
            at += bytes.length;
        }
        end.shutdownOutput();
    }

    private void read(Socket end, int direction) throws IOException {
        long total = Seeds.random(seed * 2 + direction).nextInt(BYTES_MAX);
        Random random = Seeds.random(seed * 2 + direction + 7);
        byte[] into = new byte[LARGE_MAX];
        InputStream in = end.getInputStream();
        long at = 0;
        for (int n = 0; n >= 0;) {
            n = readSome(in, into, random.nextInt(4) == 0 ? 1 : size(random));
            if (n > 0) {
                Bytes.check(seed + direction, at, into, n);
                at += n;
            }
            if (at >= middleAt) {
                middle.countDown();
            }
        }
        assertTrue(at == total || at < total && ending != Ending.HALF_CLOSE, at + " of " + total + " bytes, then the end");
    }

    // In turns: both ends know by the seed how many bytes each turn has.

    private void takeTurns(Socket end, int self) throws IOException {
        Random random = Seeds.random(seed);
        int turns = 1 + random.nextInt(TURNS_MAX);
        long[] at = {0, 0};
        byte[] into = new byte[LARGE_MAX];
        for (int turn = 0; turn < turns; turn++) {
            int direction = random.nextInt(2);
            int size = random.nextInt(20) == 0 ? size(random) : 1 + random.nextInt(SMALL_MAX);
            if (direction == self) {
                end.getOutputStream().write(Bytes.of(seed + direction, at[direction], size));
                at[direction] += size;
            } else {
                for (int left = size; left > 0;) {
                    int n = readSome(end.getInputStream(), into, left);
                    if (n < 0) {
                        assertTrue(ending != Ending.HALF_CLOSE, "the end in turn " + turn + " of " + turns);
                        return;
                    }
                    Bytes.check(seed + direction, at[direction], into, n);
                    at[direction] += n;
                    left -= n;
                }
            }
            if (at[0] + at[1] >= middleAt) {
                middle.countDown();
            }
        }
        end.shutdownOutput();
        int n = readSome(end.getInputStream(), into, 1);
        assertEquals(-1, n, "bytes behind the last turn");
    }

    private static int size(Random random) {
        return 1 + random.nextInt(random.nextInt(8) == 0 ? LARGE_MAX : SMALL_MAX);
    }

    /** A read whose time is over is tried again. */
    private static int readSome(InputStream in, byte[] into, int most) throws IOException {
        for (;;) {
            try {
                return in.read(into, 0, most);
            } catch (SocketTimeoutException e) {
                // nothing was taken
            }
        }
    }

    @Override
    public void close() throws IOException {
        near.close();
        far.close();
    }

    @Override
    public String toString() {
        return (inTurns ? "in turns, " : "all the time, ") + ending + ", seed " + seed;
    }
}
