package jfs.sisci;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import jfs.spi.NoResourcesException;
import jfs.wait.NanoClock;

/**
 * Keeps this process below half of its limit of memory mappings (LIMIT-1): the JVM and the program need the rest, and a JVM
 * that can't map aborts. Each segment takes one, which up to sixteen connections share. How many there are in all only the kernel knows, and
 * asking takes as long as there are mappings; so the kernel is asked now and then, and half of the room that it shows may
 * be taken without asking again, for a while.
 */
final class Mappings {

    /** proc(5): the most mappings of one process. */
    private static final Path LIMIT = Path.of("/proc/sys/vm/max_map_count");
    private static final Path LIST = Path.of("/proc/self/maps");
    /** What was seen is not believed longer, however few mappings were taken: others take some too. */
    private static final long BELIEVED_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** Where there is no room, connections are not to pay for a look each. */
    private static final long FULL_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Asks the kernel. */
    interface Count {
        int now() throws IOException;
    }

    private final int most;
    private final Count count;
    private final LongSupplier clock;
    private long looked;
    private boolean full;
    private int room;

    /** This process's. */
    Mappings() {
        this(limit(), new Count() {
            @Override
            public int now() throws IOException {
                return counted();
            }
        }, new NanoClock());
    }

    /** @param clock nanoseconds */
    Mappings(int limit, Count count, LongSupplier clock) {
        this.most = limit / 2;
        this.count = count;
        this.clock = clock;
    }

    /** Before one more mapping is made. */
    synchronized void take() throws NoResourcesException {
        long now = clock.getAsLong();
        if (full ? now - looked > FULL_NANOS : room == 0 || now - looked > BELIEVED_NANOS) {
            look(now);
        }
        if (full) {
            throw new NoResourcesException("more than " + most + " memory mappings, half of the limit, are in use");
        }
        room--;
    }

    private void look(long now) {
        int free;
        try {
            free = most - count.now();
        } catch (IOException | SecurityException e) {
            free = most; // no proc file system, no limit to be known
        }
        full = free <= 0;
        room = (free + 1) / 2;
        looked = now;
    }

    private static int limit() {
        try (InputStream in = new FileInputStream(LIMIT.toFile())) {
            return Integer.parseInt(new String(in.readAllBytes(), StandardCharsets.US_ASCII).strip());
        } catch (IOException | NumberFormatException | SecurityException e) {
            return Integer.MAX_VALUE;
        }
    }

    /** A line each. */
    private static int counted() throws IOException {
        int lines = 0;
        byte[] buffer = new byte[16 << 10];
        try (InputStream in = new FileInputStream(LIST.toFile())) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                for (int i = 0; i < n; i++) {
                    lines += buffer[i] == '\n' ? 1 : 0;
                }
            }
        }
        return lines;
    }
}
