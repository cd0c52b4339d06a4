package jfs.wait;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;

/** The cores and the clock of a test. A look at the news takes 10 ns, a yielded core is back after {@link #away}. */
final class Machine extends Cores {

    /** What other threads do on a core that was yielded. */
    interface Yielded {
        void run() throws IOException;
    }

    long now = 1;
    long away = 300;
    int looks;
    int yields; // of carriers, and of cores
    int coreYields;
    boolean virtual;
    double others; // cores that the process's other threads use
    long asking; // how long the kernel takes to answer that
    int asks;
    private long used;
    private long usedAt;
    Yielded meanwhile = () -> { };

    Machine(int cores) {
        super(cores);
    }

    @Override
    long nanoTime() {
        return now;
    }

    @Override
    void yieldCarrier() {
        assertTrue(virtual);
        pass();
    }

    @Override
    void yieldCore() {
        coreYields++;
        pass();
    }

    private void pass() {
        yields++;
        now += away;
        Yielded then = meanwhile;
        meanwhile = () -> { };
        try {
            then.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    long othersNanos() {
        used += (long) ((now - usedAt) * others);
        usedAt = now;
        now += asking;
        asks++;
        return used;
    }

    @Override
    boolean isVirtualThread() {
        return virtual;
    }

    /** News that arrive at this time. */
    News at(long time) {
        return () -> {
            looks++;
            now += 10;
            return now >= time;
        };
    }

    News in(long nanos) {
        return at(now + nanos);
    }

    News never() {
        return at(Long.MAX_VALUE);
    }
}
