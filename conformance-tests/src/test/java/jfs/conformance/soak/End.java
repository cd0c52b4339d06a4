package jfs.conformance.soak;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import jfs.conformance.harness.Bytes;
import jfs.conformance.soak.transfer.Transfer;

/**
 * One end of a connection. It writes a stream that follows from the seed, in pieces of any size, and checks each byte that
 * it reads. At most one thread reads and one writes.
 *
 * <p>A failure that the death of the other process would explain is an {@link IOException}. A failure that nothing
 * explains, such as a wrong byte or one too many, is an {@link AssertionError}.
 */
final class End {

    private static final int PIECE_MAX = 1 << 16;

    /** Gives the same numbers at both ends, for what they have to agree on. */
    final Random script;
    /** Gives this end's own numbers, for example when it interrupts and when it closes. */
    final Random whim;

    private final Transfer transfer;
    private final History history;
    private final Book book;
    private final Executor threads;
    private final long seedOut;
    private final long seedIn;
    private final Random readPieces;
    private final Random writePieces;
    private long written;
    private long read;

    /**
     * @param client whether this is the client's end
     * @param threads the threads that it may use beside its own; they are of the same kind
     */
    End(Transfer transfer, long seed, boolean client, Executor threads, History history, Book book) {
        this.transfer = transfer;
        this.threads = threads;
        this.history = history;
        this.book = book;
        script = new Random(seed);
        Random own = new Random(client ? seed + 1 : seed + 2);
        readPieces = new Random(own.nextLong());
        writePieces = new Random(own.nextLong());
        whim = own;
        seedOut = client ? seed : ~seed;
        seedIn = ~seedOut;
    }

    /** A size up to the most. Each power of two is as probable as another. */
    static int size(Random random, int most) {
        int bits = random.nextInt(33 - Integer.numberOfLeadingZeros(most));
        return Math.min(most, 1 + random.nextInt(1 << bits));
    }

    void write(long count) throws IOException {
        for (long left = count; left > 0;) {
            int piece = size(writePieces, (int) Math.min(left, PIECE_MAX));
            history.add("writes", piece);
            transfer.write(Bytes.of(seedOut, written, piece));
            written += piece;
            book.written.add(piece);
            left -= piece;
        }
        history.add("has written", written);
    }

    void read(long count) throws IOException {
        byte[] buffer = new byte[(int) Math.min(count, PIECE_MAX)];
        for (long left = count; left > 0;) {
            int n = some(buffer, (int) Math.min(left, size(readPieces, buffer.length)));
            if (n < 0) {
                throw new EOFException("with " + left + " bytes to come, after " + read);
            }
            left -= n;
        }
    }

    /** Reads until the end of the stream. If a time-out is set, it reads again after each one. */
    long readToEnd() throws IOException {
        byte[] buffer = new byte[PIECE_MAX];
        for (int n = 0; n >= 0;) {
            n = some(buffer, size(readPieces, PIECE_MAX));
        }
        return read;
    }

    private int some(byte[] buffer, int most) throws IOException {
        for (;;) {
            int n;
            history.add("reads", most);
            try {
                n = transfer.read(buffer, most);
            } catch (SocketTimeoutException e) {
                history.add("timed out after", read);
                book.timeouts.increment();
                continue;
            }
            if (n > 0) {
                Bytes.check(seedIn, read, buffer, n);
                read += n;
                book.read.add(n);
            } else {
                history.add("the end after", read);
            }
            return n;
        }
    }

    /** Asserts that no more bytes come. */
    void expectEnd() throws IOException {
        long before = read;
        if (readToEnd() != before) {
            throw new AssertionError((read - before) + " bytes too many");
        }
    }

    /** Asserts that the other end resets the connection. */
    void expectReset() throws IOException {
        try {
            readToEnd();
        } catch (SocketException e) {
            history.add("reset after", read);
            return;
        }
        throw new EOFException("instead of a reset, after " + read);
    }

    /** Reads until the connection ends, in whatever way. */
    void readWhateverComes() {
        try {
            readToEnd();
        } catch (IOException e) {
            history.add("reading ended with " + e.getMessage() + " after", read);
        }
    }

    /** Writes until it fails. */
    void writeWhateverGoes() {
        try {
            write(Long.MAX_VALUE);
        } catch (IOException e) {
            history.add("writing ended with " + e.getMessage() + " after", written);
        }
    }

    void timeout(int millis) throws IOException {
        transfer.timeout(millis);
    }

    void shutdownOutput() throws IOException {
        history.add("shuts down its output after", written);
        transfer.shutdownOutput();
    }

    void reset() throws IOException {
        history.add("resets after", written);
        transfer.reset();
    }

    /** Any thread may call this. */
    void close() throws IOException {
        history.add("closes", 0);
        transfer.close();
        history.add("has closed", 0);
    }

    /** Interrupts the thread that waits for this end's bytes: the user's, or the one of an event loop. Any thread may call this. */
    void interrupt(Thread user) {
        transfer.interrupt(user);
    }

    /** Whether an interrupt closes this end, if the user's thread waits for its bytes. */
    boolean isClosedByInterrupt() {
        return transfer.isClosedByInterrupt();
    }

    /** Asserts that an interrupt ends the wait for more bytes, and closes this end. */
    void expectInterruption() throws IOException {
        try {
            expectEnd();
        } catch (IOException e) {
            if (!transfer.isInterruption(e) || !transfer.isClosed()) {
                throw new IOException("interrupted: " + e + (transfer.isClosed() ? "" : ", and open"));
            }
            return;
        }
        throw new EOFException("instead of an interruption");
    }

    void note(String what, long number) {
        history.add(what, number);
    }

    /** Work for another thread. */
    interface Work {
        void run() throws Exception;
    }

    /** Begins the work. */
    Meanwhile meanwhile(Work work) {
        FutureTask<Void> task = new FutureTask<>(() -> {
            work.run();
            return null;
        });
        threads.execute(task);
        return () -> {
            try {
                task.get();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Error error) {
                    throw error;
                }
                throw (Exception) e.getCause();
            }
        };
    }

    /** Work that another thread does. */
    interface Meanwhile {
        /**
         * Returns when the work is done, or throws what it threw. It waits without a limit: the history shows to the parent
         * that it waits.
         */
        void join() throws Exception;
    }
}
