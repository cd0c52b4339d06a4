package jfs.conformance.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jfs.conformance.faults.Way;
import jfs.conformance.harness.processes.Leftovers;
import jfs.conformance.soak.Fleet;
import jfs.conformance.soak.Member;
import jfs.steps.Step;
import jfs.testing.Await;
import jfs.testing.Effort;
import jfs.testing.Jdks;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two processes pause at random at each step of their connections, so that steps of one fall between any two steps of the
 * other. No byte is lost, no thread hangs, and every stream ends as it should.
 */
@Tag("processes")
class StressTest {

    private static final Path REPORTS = Path.of("target/stress");
    /** A thread that hangs hangs forever. Beside other tests a thread may be without a core for many seconds. */
    private static final long SILENCE_SECONDS = 60;
    private static final Duration LACKING_MAX = Duration.ofSeconds(45);
    private static final Duration MARGIN = LACKING_MAX.plusSeconds(2 * SILENCE_SECONDS);
    private static final long BETWEEN_LOOKS_MILLIS = 100;
    private static final Fleet.Load LOAD = new Fleet.Load(16, 60, 2);
    /** Steps that both ends reach. Earlier ones belong to the client or to the server. */
    private static final Set<Step> OF_BOTH = EnumSet.range(Step.READY_PUBLISHED, Step.FREED);

    @TempDir
    Path temporary;

    /** Two JDKs, and the settings of the processes on them. */
    record Duo(Path server, Path client, List<String> settings) {

        @Override
        public String toString() {
            return "server on " + server.getFileName() + ", client on " + client.getFileName() + settings;
        }
    }

    /** Processes that sleep at once and processes that poll first, with an early offer and with one after a conversation. */
    static List<Duo> duos() throws IOException {
        Path here = Path.of(System.getProperty("java.home"));
        Path other = Jdks.other().orElse(here);
        List<String> sleeping = List.of("-Djfs.buffer.size=8192", "-Djfs.poll.micros=0", "-Djfs.upgrade.after=0");
        List<String> polling = List.of("-Djfs.buffer.size=8192");
        List<Duo> duos = List.of(new Duo(here, other, sleeping), new Duo(other, here, polling),
                new Duo(other, here, sleeping), new Duo(here, other, polling),
                new Duo(here, other, List.of("-Djfs.tcp=nio")), new Duo(other, here, List.of("-Djfs.tcp=nio")));
        return duos.subList(0, onTheOldest(2, duos.size()));
    }

    /** With {@code --all}, much on the oldest JDK only. The pairs are the same from either JDK: their sockets are not of this JVM. */
    private static int onTheOldest(int usually, int withAll) throws IOException {
        return Effort.of(usually, Jdks.isOldest() ? withAll : usually);
    }

    @ParameterizedTest
    @MethodSource("duos")
    @Timeout(value = 1, unit = TimeUnit.HOURS) // the test's own time-out comes sooner
    void pausesBetweenStepsLoseNothing(Duo duo) throws Exception {
        long seed = Long.getLong("stress.seed", new Random().nextLong());
        Duration load = Duration.ofSeconds(Integer.getInteger("stress.seconds", onTheOldest(1, 60)));
        Set<String> names;
        try (Fleet fleet = new Fleet(temporary, REPORTS, new Random(seed), SILENCE_SECONDS)) {
            names = assertTimeoutPreemptively(load.plus(MARGIN), () -> run(fleet, duo, seed, load));
        } catch (Throwable e) {
            throw new AssertionError(duo + ", with -Dstress.seed=" + seed, e);
        }
        Await.until("none of the names " + names, () -> !Leftovers.anyOf(names));
        try (Stream<Path> files = Files.list(temporary); Stream<Path> shared = Files.list(Path.of("/dev/shm"))) {
            assertEquals(Set.of(), files.collect(Collectors.toSet()));
            assertEquals(Set.of(), shared.filter(file -> file.getFileName().toString().matches("(jfs|sisci).*"))
                    .collect(Collectors.toSet()));
        }
    }

    /** @return the abstract names of the processes */
    private static Set<String> run(Fleet fleet, Duo duo, long seed, Duration load) throws Exception {
        List<String> options = new ArrayList<>(duo.settings);
        options.add("-Dorg.javafastsockets.steps=" + Pauses.class.getName());
        options.add("-Dstress.seed=" + seed);
        fleet.start(duo.server, duo.client, options);
        fleet.begin(LOAD);
        long start = System.nanoTime();
        String lacking;
        do {
            TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS_MILLIS); // the processes work meanwhile
            fleet.lookForProblems();
            lacking = lacking(fleet.all());
            assertTrue(lacking.isEmpty() || System.nanoTime() - start < load.plus(LACKING_MAX).toNanos(), lacking);
        } while (!lacking.isEmpty() || System.nanoTime() - start < load.toNanos());
        fleet.rest();
        System.out.printf("%s: %,d connections, %,d of them fast, %,d bytes%n", duo, fleet.sum("ended", false),
                fleet.sum("attached", false), fleet.sum("read", false) + fleet.sum("read", true));
        return fleet.all().stream().flatMap(member -> member.names.stream()).collect(Collectors.toSet());
    }

    /**
     * The test shows something only when a thread has slept at each step, at both ends if it is a step of both.
     *
     * @return the steps at which none has slept yet, empty if there are none
     */
    private static String lacking(List<Member> members) {
        StringBuilder text = new StringBuilder();
        Set<Step> nowhere = Way.SCI.steps();
        for (Member member : members) {
            Map<String, Long> slept = member.figures("pauses");
            Set<Step> notHere = Way.SCI.steps();
            notHere.removeIf(step -> slept.get(step.name()) > 0);
            nowhere.retainAll(notHere);
            notHere.retainAll(OF_BOTH);
            if (!notHere.isEmpty()) {
                text.append(member).append(" has not slept at ").append(notHere).append(' ');
            }
        }
        return nowhere.isEmpty() ? text.toString() : text + "nobody at " + nowhere;
    }
}
