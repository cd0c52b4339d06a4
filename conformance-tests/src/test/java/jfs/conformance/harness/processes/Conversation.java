package jfs.conformance.harness.processes;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.stream.IntStream;
import jfs.conformance.harness.Bytes;
import jfs.stat.Stats;
import jfs.testing.Await;
import jfs.testing.Background;

/** What a {@link Peer} says and hears over one connection: questions with their answers, and streams of checked bytes. */
record Conversation(Socket socket) {

    /**
     * Asks and waits for the answer, for so many rounds. With rounds 0 it goes on until this end sends and receives on the
     * fast path.
     */
    int lead(int rounds) throws IOException {
        long start = System.nanoTime();
        long before = rounds == 0 ? Jfs.switched() : 0;
        int round = 0;
        boolean last;
        do {
            round++;
            last = rounds > 0 ? round == rounds : Jfs.switched() == before + 2;
            if (rounds == 0 && System.nanoTime() - start > Await.LIMIT.toNanos() / 2) {
                throw new AssertionError("not switched after " + round + " rounds: " + Stats.fallbacks());
            }
            ask(last ? 0 : 1);
        } while (!last);
        return round;
    }

    void ask(int question) throws IOException {
        socket.getOutputStream().write(question);
        hearAnswer();
    }

    void hearAnswer() throws IOException {
        if (socket.getInputStream().read() != 2) {
            throw new AssertionError("no answer");
        }
    }

    void follow() throws IOException {
        int question;
        do {
            question = socket.getInputStream().read();
            socket.getOutputStream().write(2);
        } while (question == 1);
        if (question != 0) {
            throw new AssertionError("asked " + question);
        }
    }

    void write(long seed, int bytes) throws IOException {
        OutputStream out = socket.getOutputStream();
        int piece = 100_000;
        for (int at = 0; at < bytes; at += piece) {
            out.write(Bytes.of(seed, at, Math.min(piece, bytes - at)));
        }
    }

    /** Sends one stream and checks the other one, so many bytes each. */
    void exchange(long seedOut, long seedIn, int bytes) throws Exception {
        Background<Void> writer = Background.run(() -> write(seedOut, bytes));
        Bytes.expect(socket.getInputStream(), seedIn, 0, bytes);
        writer.result();
    }

    /** Does the same in writes of many sizes. */
    void exchangeSizes(long seedOut, long seedIn) throws Exception {
        Background<Void> writer = Background.run(() -> writeSizes(seedOut));
        Bytes.expect(socket.getInputStream(), seedIn, 0, IntStream.of(sizes()).sum());
        writer.result();
    }

    /** Sizes that may take different code paths through a ring: all small ones, then those around each power of two. */
    private static int[] sizes() {
        IntStream large = IntStream.rangeClosed(9, 20).flatMap(i -> IntStream.rangeClosed((1 << i) - 9, (1 << i) + 1));
        return IntStream.concat(IntStream.rangeClosed(1, 300), large).toArray();
    }

    private void writeSizes(long seed) throws IOException {
        int at = 0;
        for (int size : sizes()) {
            socket.getOutputStream().write(Bytes.of(seed, at, size));
            at += size;
        }
    }
}
