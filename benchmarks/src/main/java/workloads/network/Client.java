package workloads.network;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.logging.LogManager;
import workloads.Player;

/**
 * Threads that do an operation again and again, all of them during a turn. In the first turn each thread also connects, and this
 * counts as part of the turn. Figures of a turn: {@code rounds} is the number of operations of all threads together, {@code nanos} the
 * time of the turn.
 *
 * <p>Arguments: program, operation, threads, port.
 */
public final class Client implements Player.Measured {
    /** What one thread does. */
    private final class Worker implements Runnable {
        private Subject.Operation operation;
        private long done;

        @Override
        public void run() {
            try {
                for (;;) {
                    turn.await();
                    work();
                    turn.await();
                }
            } catch (Throwable e) {
                e.printStackTrace();
                Runtime.getRuntime().halt(1); // the others would wait for this one
            }
        }

        private void work() throws Exception {
            if (operation == null) {
                operation = subject.operation(name, port);
            }
            long count = 0;
            do {
                operation.run();
                count++;
            } while (System.nanoTime() < end);
            done = count;
        }
    }

    private final Subject subject;
    private final String name;
    private final int port;
    private final Worker[] workers;
    /** Where all workers and the main thread meet before each turn and after it. */
    private final CyclicBarrier turn;
    private volatile long end;

    private Client(Subject subject, String name, int threads, int port) {
        this.subject = subject;
        this.name = name;
        this.port = port;
        workers = new Worker[threads];
        turn = new CyclicBarrier(threads + 1);
    }

    public static void main(String[] args) throws IOException {
        LogManager.getLogManager().reset();
        Player.playFromCold(Subject.of(args[0]).client(args[1], Integer.parseInt(args[2]), Integer.parseInt(args[3])));
        System.exit(0); // libraries have threads that would go on
    }

    /** Makes a client and starts its threads. They wait for the first turn. */
    static Client of(Subject subject, String name, int threads, int port) {
        Client client = new Client(subject, name, threads, port);
        for (int i = 0; i < threads; i++) {
            client.workers[i] = client.new Worker();
            Thread thread = new Thread(client.workers[i], "worker " + i);
            thread.setDaemon(true);
            thread.start();
        }
        return client;
    }

    @Override
    public void warm(double nanos) throws IOException {
        work(nanos);
    }

    @Override
    public Map<String, Double> turn(double seconds, int trials) throws IOException {
        long from = System.nanoTime();
        work(seconds * 1e9);
        double nanos = System.nanoTime() - from;
        long rounds = 0;
        for (Worker worker : workers) {
            rounds += worker.done;
        }
        return Map.of("rounds", (double) rounds, "nanos", nanos);
    }

    /** Lets all workers work for {@code nanos} nanoseconds. */
    private void work(double nanos) throws IOException {
        end = System.nanoTime() + (long) nanos;
        try {
            turn.await();
            turn.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IOException(e);
        }
    }
}
