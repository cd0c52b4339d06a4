package workloads.buffers;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import workloads.Player;
import workloads.Program;

/**
 * Allocates a buffer and gives it back, again and again: {@code ALLOCATOR SIZES THREADS}, the last two as lists with commas. A turn
 * measures each size with each number of threads. Garbage collections that come meanwhile count.
 */
public final class Allocations implements Player.Measured {
    private static final int BATCH_NANOS = 20_000;

    private final Allocator allocator;
    private final int[] sizes;
    private final int[] threads;
    private final ExecutorService workers;

    private Allocations(Allocator allocator, int[] sizes, int[] threads) {
        this.allocator = allocator;
        this.sizes = sizes;
        this.threads = threads;
        workers = Executors.newFixedThreadPool(Arrays.stream(threads).max().orElseThrow(), allocator.threads());
    }

    public static void main(String[] args) throws IOException {
        Program.ready(0); // there is no server
        Allocations program = new Allocations(Allocator.of(args[0]), numbers(args[1]), numbers(args[2]));
        Player.playFromCold(program);
        program.workers.shutdown();
    }

    private static int[] numbers(String list) {
        return Arrays.stream(list.split(",")).mapToInt(Integer::parseInt).toArray();
    }

    @Override
    public void warm(double nanos) throws IOException {
        turn(nanos * 1e-9, 1);
    }

    /** What one thread did. */
    private record Done(long count, long nanos, long garbage) {
    }

    @Override
    public Map<String, Double> turn(double seconds, int trials) throws IOException {
        Map<String, Double> figures = new LinkedHashMap<>();
        long nanos = (long) (seconds * 1e9 / (sizes.length * threads.length));
        for (int count : threads) {
            for (int bytes : sizes) {
                List<Done> all = together(count, bytes, nanos);
                String key = bytes + "x" + count;
                figures.put("count" + key, (double) all.stream().mapToLong(Done::count).sum());
                figures.put("nanos" + key, (double) all.stream().mapToLong(Done::nanos).sum());
                figures.put("garbage" + key, (double) all.stream().mapToLong(Done::garbage).sum());
            }
        }
        return figures;
    }

    private List<Done> together(int count, int bytes, long nanos) throws IOException {
        List<Callable<Done>> tasks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            tasks.add(() -> repeat(bytes, nanos));
        }
        List<Done> done = new ArrayList<>();
        try {
            for (Future<Done> each : workers.invokeAll(tasks)) {
                done.add(each.get());
            }
        } catch (ExecutionException | InterruptedException e) {
            throw new IOException(e);
        }
        return done;
    }

    /** In batches, so that the clock costs little. */
    private Done repeat(int bytes, long nanos) {
        Allocator.Place place = new Allocator.Place();
        ThreadMXBean mxBean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long garbageBefore = mxBean.getCurrentThreadAllocatedBytes();
        long begun = System.nanoTime();
        long count = 0;
        int batch = 1;
        for (long now = begun; now - begun < nanos; ) {
            for (int i = 0; i < batch; i++) {
                allocator.once(bytes, place);
            }
            count += batch;
            long after = System.nanoTime();
            if (after - now < BATCH_NANOS) {
                batch *= 2;
            }
            now = after;
        }
        long took = System.nanoTime() - begun;
        return new Done(count, took, mxBean.getCurrentThreadAllocatedBytes() - garbageBefore);
    }
}
