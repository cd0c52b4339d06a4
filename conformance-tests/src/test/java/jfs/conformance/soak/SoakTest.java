package jfs.conformance.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jfs.testing.Effort;
import jfs.testing.Jdks;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Thousands of connections of all kinds between processes, some of which die. No byte is lost, and no process grows. */
@Tag("soak")
class SoakTest {

    private static final Duration MARGIN = Duration.ofMinutes(4);
    private static final long SILENCE_SECONDS = 60;
    private static final Path REPORTS = Path.of("target/soak");
    /** The three clients together aim at 1,000 short connections a second. */
    private static final Fleet.Load OF_ALL_KINDS = new Fleet.Load(16, 1_000 / 3, 40);
    /** One client aims at this, if the machine can do it. */
    private static final Fleet.Load SHORT_ONES = new Fleet.Load(0, 2_000, 0);

    @TempDir
    Path temporary;

    /** Runs for {@code -Dsoak.minutes}, if that is given. Every other process runs on the other JDK, if there is one. */
    @Test
    @Timeout(value = 365, unit = TimeUnit.DAYS) // the test's own time-out comes sooner
    void nothingIsLostAndNothingGrows() throws Exception {
        Integer minutes = Integer.getInteger("soak.minutes");
        assumeTrue(minutes != null || Jdks.isOldest(), "only the oldest JDK runs it; half of its processes have the other JDK");
        Duration load = minutes != null ? Duration.ofMinutes(minutes)
                : Duration.ofSeconds(Effort.of(7, 600));
        boolean brief = load.compareTo(Duration.ofMinutes(1)) < 0;
        long seed = Long.getLong("soak.seed", new Random().nextLong());
        System.out.println("soak.seed=" + seed);
        Files.createDirectories(REPORTS);
        String name = "soak-" + Runtime.version().feature();
        try (Series series = new Series(new PrintStream(REPORTS.resolve(name + ".csv").toFile()));
                Fleet fleet = new Fleet(temporary, REPORTS, new Random(seed), SILENCE_SECONDS)) {
            Soak soak = new Soak(fleet, OF_ALL_KINDS, System.out, series);
            assertTimeoutPreemptively(load.plus(MARGIN), () -> {
                fleet.start();
                soak.run(Duration.ofSeconds(brief ? 2 : 30), load, Duration.ofSeconds(brief ? 2 : 10),
                        Duration.ofSeconds(brief ? 2 : 5));
            });
            if (!brief) {
                series.draw(REPORTS.resolve(name + ".png"));
            }
        } catch (Throwable e) {
            throw new AssertionError("with -Dsoak.seed=" + seed, e);
        }
        assertNoFiles();
    }

    /** A server and a client with short connections only. Offers come after a turnaround, as usual, and at once. */
    @ParameterizedTest
    @ValueSource(strings = {"1", "0"})
    @EnabledIfSystemProperty(named = "test.all", matches = "true",
            disabledReason = "only ./jfs test --all runs it, because it takes a minute")
    @Timeout(value = 1, unit = TimeUnit.HOURS) // the test's own time-out comes sooner
    void nothingGrowsOfShortOnes(String upgradeAfter) throws Exception {
        assumeTrue(Jdks.isOldest(), "only the oldest JDK runs it; half of its processes have the other JDK");
        Files.createDirectories(REPORTS);
        Path here = Path.of(System.getProperty("java.home"));
        List<String> options = new ArrayList<>(Fleet.MEASURED);
        options.add(Fleet.WITH_CHANNELS);
        options.add("-Djfs.upgrade.after=" + upgradeAfter);
        Duration load = Duration.ofSeconds(20);
        long seed = Long.getLong("soak.seed", new Random().nextLong());
        System.out.println("short ones, offers after " + upgradeAfter + ", soak.seed=" + seed);
        try (Series series = new Series(new PrintStream(REPORTS.resolve("short-" + upgradeAfter + ".csv").toFile()));
                Fleet fleet = new Fleet(temporary, REPORTS, new Random(seed), SILENCE_SECONDS)) {
            Soak soak = new Soak(fleet, SHORT_ONES, System.out, series);
            assertTimeoutPreemptively(load.plus(MARGIN), () -> {
                fleet.start(Jdks.other().orElse(here), here, options);
                soak.run(Duration.ofSeconds(5), load, null, Duration.ofSeconds(5));
            });
        } catch (Throwable e) {
            throw new AssertionError("with -Dsoak.seed=" + seed, e);
        }
        assertNoFiles();
    }

    private void assertNoFiles() throws IOException {
        try (Stream<Path> files = Files.list(temporary); Stream<Path> shared = Files.list(Path.of("/dev/shm"))) {
            assertEquals(Set.of(), files.collect(Collectors.toSet()));
            assertEquals(Set.of(), shared.filter(file -> file.getFileName().toString().matches("(jfs|sisci).*"))
                    .collect(Collectors.toSet()));
        }
    }
}
