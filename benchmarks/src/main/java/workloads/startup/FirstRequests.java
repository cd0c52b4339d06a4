package workloads.startup;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Opens connections, and then sends requests on all of them at once. Each connection has a thread, which sends a request, waits for
 * the answer and begins again. Every tenth of a second the main thread looks how many answers there have been.
 *
 * <p>The program prints {@code begun}, and in the end {@code result NANOS=ANSWERS ...}: the numbers of answers, each with its time in
 * nanoseconds after the beginning. Then it waits for the end of standard input, so that its parent can still ask what it has used.
 * Between the beginning and the end it does nothing that is slow in a JVM that has just started: no lambdas, no streams, no text.
 *
 * <p>Arguments: address, port, connections, bytes of a request, seconds.
 */
public final class FirstRequests {
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Talker[] talkers;
    private final Thread[] threads;
    /** The number of talkers that wait for the beginning. */
    private int waiting;
    private boolean begun;
    private volatile boolean over;

    private FirstRequests(int connections) {
        talkers = new Talker[connections];
        threads = new Thread[connections];
    }

    /** Keeps the object that comes before a talker in memory out of the cache lines of the talker's counter. */
    private static class Before {
        long b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15;
    }

    private static class Counter extends Before {
        /** Written by one thread. A plain field might be written late: compiled code may keep it in a register. */
        volatile long answers;
    }

    /** Keeps the fields of a talker, and the next object in memory, out of the cache lines of the counter. */
    private static class After extends Counter {
        long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;
    }

    /** A connection, and its thread. */
    private final class Talker extends After implements Runnable {
        private final Socket socket;
        private final byte[] request;
        private final byte[] answer;

        Talker(Socket socket, int bytes) {
            this.socket = socket;
            request = new byte[bytes];
            for (int i = 0; i < bytes; i++) {
                request[i] = (byte) (i + socket.getLocalPort());
            }
            answer = new byte[bytes];
        }

        @Override
        public void run() {
            try {
                awaitBeginning();
                talk(socket.getInputStream(), socket.getOutputStream());
                if (!Arrays.equals(request, answer)) {
                    throw new IOException("the payload did not arrive intact");
                }
            } catch (Throwable e) {
                e.printStackTrace();
                Runtime.getRuntime().halt(1); // a figure without this talker would pass for the figure of all
            }
        }

        private void talk(InputStream in, OutputStream out) throws IOException {
            for (long count = 1; !over; count++) {
                request[0]++;
                out.write(request);
                if (in.readNBytes(answer, 0, answer.length) < answer.length) {
                    throw new IOException("the server has closed the connection");
                }
                if (answer[0] != request[0]) {
                    throw new IOException("an answer to another request");
                }
                answers = count;
            }
        }
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        FirstRequests client = new FirstRequests(Integer.parseInt(args[2]));
        client.connect(InetAddress.getByName(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[3]));
        long nanos = (long) (Double.parseDouble(args[4]) * 1e9);
        int steps = (int) ((nanos + STEP_NANOS - 1) / STEP_NANOS);
        long[] times = new long[steps];
        long[] counts = new long[steps];
        System.out.println("begun");
        client.count(nanos, times, counts);
        StringBuilder result = new StringBuilder("result");
        for (int step = 0; step < steps; step++) {
            result.append(' ').append(times[step]).append('=').append(counts[step]);
        }
        System.out.println(result);
        while (System.in.read() >= 0) {}
    }

    private void connect(InetAddress address, int port, int bytes) throws IOException {
        for (int i = 0; i < talkers.length; i++) {
            Socket socket = new Socket(address, port);
            socket.setTcpNoDelay(true);
            talkers[i] = new Talker(socket, bytes);
            threads[i] = new Thread(talkers[i], "talker");
            threads[i].setDaemon(true);
            threads[i].start();
        }
    }

    private synchronized void awaitBeginning() throws InterruptedException {
        waiting++;
        notifyAll();
        while (!begun) {
            wait();
        }
    }

    private synchronized void begin() throws InterruptedException {
        while (waiting < talkers.length) {
            wait();
        }
        begun = true;
        notifyAll();
    }

    /** Lets the talkers begin, and counts answers at the end of each step. The last step may be shorter. Sleeps between the steps. */
    private void count(long nanos, long[] times, long[] counts) throws InterruptedException {
        begin();
        long start = System.nanoTime();
        for (int step = 0; step < times.length; step++) {
            long due = start + Math.min((step + 1) * STEP_NANOS, nanos);
            for (long now = System.nanoTime(); now < due; now = System.nanoTime()) {
                LockSupport.parkNanos(due - now);
            }
            for (Talker talker : talkers) {
                counts[step] += talker.answers;
            }
            times[step] = System.nanoTime() - start;
        }
        over = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
