package workloads.arrays;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import workloads.Player;
import workloads.RoundTrips;

/**
 * Messages of several sizes there and back over one connection. A turn has all sizes, one after the other. Its figures have the size in
 * their names: {@code median1024} is the time of a message of 1,024 bytes one way, {@code allocated1024} is the number of bytes that this
 * thread has allocated to send and to receive one.
 */
final class Sweep implements Player.Measured {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Map<Integer, Size> sizes = new LinkedHashMap<>();

    /** @param type of the elements */
    Sweep(Line line, ElementType type, List<Integer> sizes) {
        sizes.forEach(bytes -> this.sizes.put(bytes, new Size(line, type, bytes)));
    }

    private static final class Size implements Player.Game {
        private final Line line;
        private final Elements sent;
        private final Elements message;
        private final RoundTrips roundTrips = new RoundTrips(this);
        private final long thread = Thread.currentThread().getId();
        private long rounds;
        private long allocated;

        Size(Line line, ElementType type, int bytes) {
            this.line = line;
            this.sent = type.ofBytes(bytes);
            this.message = type.ofBytes(bytes);
            sent.fill(new Random(bytes));
            message.fill(new Random(bytes));
        }

        @Override
        public void roundTrips(long times) throws IOException {
            line.announce(message.bytes(), times);
            long before = THREADS.getThreadAllocatedBytes(thread);
            for (long i = 0; i < times; i++) {
                line.transfer().send(message);
                line.transfer().receive(message);
            }
            allocated += THREADS.getThreadAllocatedBytes(thread) - before;
            rounds += times;
        }

        @Override
        public boolean intact() {
            return message.isSameAs(sent);
        }

        Map<String, Double> turn(double seconds, int trials) throws IOException {
            rounds = 0;
            allocated = 0;
            Map<String, Double> figures = roundTrips.turn(seconds, trials);
            return Map.of("median" + message.bytes(), figures.get("median"), "allocated" + message.bytes(), (double) allocated / rounds);
        }
    }

    @Override
    public void warm(double nanos) throws IOException {
        for (Size size : sizes.values()) {
            size.roundTrips.warm(nanos / sizes.size());
        }
    }

    @Override
    public Map<String, Double> turn(double seconds, int trials) throws IOException {
        Map<String, Double> all = new HashMap<>();
        for (Size size : sizes.values()) {
            all.putAll(size.turn(seconds / sizes.size(), trials));
        }
        return all;
    }
}
