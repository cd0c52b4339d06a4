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
 * Keeps this process below half of its limit of memory mappings (LIMIT-1). The JVM and the program need the rest, and a JVM
 * that can't map memory aborts. Each segment takes one mapping, which up to sixteen connections share. Only the kernel knows
 * how many mappings the process has, and a question takes longer the more there are. So the kernel is asked only now and
 * then. Half of the room that its answer shows may be taken without asking again, for a limited time.
 */
final class MappingLimit {

    /** proc(5): the most mappings of one process. */
    private static final Path LIMIT = Path.of("/proc/sys/vm/max_map_count");
    private static final Path LIST = Path.of("/proc/self/maps");
    /** The kernel's answer counts no longer than this, however few mappings were taken here: other code takes some too. */
    private static final long BELIEVED_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** How long the answer "no room" counts. Without it each new connection would pay for a question. */
    private static final long FULL_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Asks the kernel how many mappings this process has. */
    interface Count {
        int now() throws IOException;
    }

    private final int most;
    private final Count count;
    private final LongSupplier clock;
    private long looked;
    private boolean full;
    private int room;

    /** For the mappings of this process. */
    MappingLimit() {
        this(limit(), new Count() {
            @Override
            public int now() throws IOException {
                return counted();
            }
        }, new NanoClock());
    }

    /** @param clock nanoseconds */
    MappingLimit(int limit, Count count, LongSupplier clock) {
        this.most = limit / 2;
        this.count = count;
        this.clock = clock;
    }

    /** Called before one more mapping is made. */
    synchronized void take() throws NoResourcesException {
        long now = clock.getAsLong();
        if (full ? now - looked > FULL_NANOS : room == 0 || now - looked > BELIEVED_NANOS) {
            look(now);
        }
        if (full) {
            throw new NoResourcesException("more than " + most + " memory mappings are in use, half of vm.max_map_count");
        }
        room--;
    }

    private void look(long now) {
        int free;
        try {
            free = most - count.now();
        } catch (IOException | SecurityException e) {
            free = most; // without the proc file system the limit is not known
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

    /** Counts the lines of the list: there is one for each mapping. */
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
