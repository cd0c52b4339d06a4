package netpipe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(10)
class ReportTest {

    @TempDir
    private Path folder;
    private final ByteArrayOutputStream progress = new ByteArrayOutputStream();

    private Report report(boolean integrity) throws IOException {
        return Report.to(folder.resolve("np.out"), new PrintStream(progress), integrity);
    }

    @Test
    void measurementsLookLikeNPtcps() throws IOException {
        Locale before = Locale.getDefault();
        // The output must not depend on the locale: one has a decimal comma, the other one digits of its own.
        for (Locale locale : new Locale[] {Locale.GERMANY, Locale.forLanguageTag("ar-EG-u-nu-arab")}) {
            Locale.setDefault(locale);
            progress.reset();
            try (Report report = report(false)) {
                report.begin();
                report.start(0, 1, 12292);
                report.result(1, 12292, 26.43e-6);
                report.start(122, 10_000_003, 3);
                report.result(20_000_006, 3, 1.5);
            } finally {
                Locale.setDefault(before);
            }
            assertEquals("""
                           1 0.288664   0.00002643
                    20000006 101.725291   1.50000000
                    """, Files.readString(folder.resolve("np.out")));
            assertEquals("""
                    Now starting the main loop
                      0:       1 bytes  12292 times -->      0.29 Mbps in      26.43 usec
                    122: 10000003 bytes      3 times -->    101.73 Mbps in 1500000.00 usec
                    """, progress.toString());
        }
    }

    /** The double 2.5e-8 is a little less than that number. Only C's rounding takes this into account. */
    @Test
    void roundsAsC() throws IOException {
        try (Report report = report(false)) {
            report.result(1, 3, 0.5 / 1024 / 1024);
            report.result(1, 3, 2.5e-8);
        }
        assertEquals("       1 16.000000   0.00000048\n       1 305.175781   0.00000002\n",
                Files.readString(folder.resolve("np.out")));
    }

    @Test
    void integrityChecksLookLikeNPtcps() throws IOException {
        try (Report report = report(true)) {
            report.start(0, 5, 10451);
            report.result(5, 10451, 1e-5);
        }
        assertEquals("       5 10451\n", Files.readString(folder.resolve("np.out")));
        assertEquals("  0:       5 bytes  10451 times -->  Integrity check passed\n", progress.toString());
    }

    @Test
    void everyLineIsInTheFileAtOnce() throws IOException {
        try (Report report = report(true)) {
            report.result(5, 7, 1e-5);
            assertEquals("       5 7\n", Files.readString(folder.resolve("np.out")));
        }
    }
}
