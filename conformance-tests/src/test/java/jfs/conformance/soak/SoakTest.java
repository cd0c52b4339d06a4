package jfs.conformance.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jfs.conformance.Effort;
import jfs.conformance.processes.Jdks;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Thousands of connections of all kinds between processes, some of which die: nothing is lost, and nothing grows. */
@Tag("soak")
class SoakTest {

    private static final Duration MARGIN = Duration.ofMinutes(4);
    private static final long SILENCE_SECONDS = 60;
    private static final Path REPORTS = Path.of("target/soak");

    @TempDir
    Path temporary;

    /** For {@code -Dsoak.minutes}, if that is given. */
    @Test
    @Timeout(value = 365, unit = TimeUnit.DAYS) // its own comes sooner
    void nothingIsLostAndNothingGrows() throws Exception {
        Integer minutes = Integer.getInteger("soak.minutes");
        Duration load = minutes != null ? Duration.ofMinutes(minutes)
                : Effort.isAll() && Jdks.isOldest() ? Duration.ofMinutes(10) // every other process has the other JDK, if there is one
                : Duration.ofSeconds(7);
        boolean brief = load.compareTo(Duration.ofMinutes(1)) < 0;
        long seed = Long.getLong("soak.seed", new Random().nextLong());
        System.out.println("soak.seed=" + seed);
        Files.createDirectories(REPORTS);
        String name = "soak-" + Runtime.version().feature();
        try (Series series = new Series(new PrintStream(REPORTS.resolve(name + ".csv").toFile()));
                Fleet fleet = new Fleet(temporary, REPORTS, new Random(seed), SILENCE_SECONDS)) {
            Soak soak = new Soak(fleet, System.out, series);
            assertTimeoutPreemptively(load.plus(MARGIN), () -> soak.run(Duration.ofSeconds(brief ? 2 : 30), load,
                    Duration.ofSeconds(brief ? 2 : 10), Duration.ofSeconds(brief ? 2 : 5)));
            if (!brief) {
                series.draw(REPORTS.resolve(name + ".png"));
            }
        } catch (Throwable e) {
            throw new AssertionError("with -Dsoak.seed=" + seed, e);
        }
        try (Stream<Path> files = Files.list(temporary); Stream<Path> shared = Files.list(Path.of("/dev/shm"))) {
            assertEquals(Set.of(), files.collect(Collectors.toSet()));
            assertEquals(Set.of(), shared.filter(file -> file.getFileName().toString().matches("(jfs|sisci).*"))
                    .collect(Collectors.toSet()));
        }
    }
}
