package netpipe;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The transmitter's results, byte for byte as NPtcp writes them: a file of numbers, and messages about the progress. */
interface Report extends Closeable {

    /** The receiver's report, which writes nothing. */
    Report NONE = new Report() {
        @Override
        public void begin() {
        }

        @Override
        public void start(int sample, int size, int repeats) {
        }

        @Override
        public void result(long bytes, int repeats, double seconds) {
        }

        @Override
        public void close() {
        }
    };

    void begin();

    void start(int sample, int size, int repeats);

    /**
     * @param bytes the size of a message; if both directions are measured at once, of two messages
     * @param seconds the time of one message
     */
    void result(long bytes, int repeats, double seconds) throws IOException;

    static Report to(Path file, PrintStream progress, boolean integrity) throws IOException {
        return new Written(Files.newBufferedWriter(file), progress, integrity);
    }

    /** The report of a transmitter. */
    final class Written implements Report {

        private static final double BITS_PER_MEGABIT = 1 << 20;

        private final Writer file;
        private final PrintStream progress;
        private final boolean integrity;

        Written(Writer file, PrintStream progress, boolean integrity) {
            this.file = file;
            this.progress = progress;
            this.integrity = integrity;
        }

        @Override
        public void begin() {
            say("Now starting the main loop\n");
        }

        @Override
        public void start(int sample, int size, int repeats) {
            say(String.format(Locale.ROOT, "%3d: %7d bytes %6d times --> ", sample, size, repeats));
        }

        @Override
        public void result(long bytes, int repeats, double seconds) throws IOException {
            double megabits = bytes * 8 / (seconds * BITS_PER_MEGABIT);
            file.write(integrity
                    ? String.format(Locale.ROOT, "%8d %d\n", bytes, repeats)
                    : String.format(Locale.ROOT, "%8d %s %12s\n", bytes, fixed(megabits, 6), fixed(seconds, 8)));
            // Flushed at once: a sweep takes long, and users often look at its results, or end it, half-way.
            file.flush();
            say(integrity
                    ? " Integrity check passed\n"
                    : String.format(Locale.ROOT, " %8s Mbps in %10s usec\n",
                            fixed(megabits, 2), fixed(seconds * 1e6, 2)));
        }

        /** Formats as C's {@code %f}, which rounds the exact binary value. Java's rounds the shortest decimal value. */
        private static String fixed(double value, int digits) {
            return new BigDecimal(value).setScale(digits, RoundingMode.HALF_EVEN).toPlainString();
        }

        private void say(String text) {
            progress.print(text);
            progress.flush();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
