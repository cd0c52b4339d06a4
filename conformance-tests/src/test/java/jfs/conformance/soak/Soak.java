package jfs.conformance.soak;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import jfs.testing.Await;

/** One soak, from the first connection to the last. It measures what the processes hold before and after the load. */
final class Soak {

    private static final int HELD = 100;
    /** So short that the histories of connections with problems are still there. */
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /** The share of a core that a process without work may use. A process that spins uses a whole core. */
    private static final double IDLE_CORE_MAX = 0.05;

    private final Fleet fleet;
    private final Fleet.Load load;
    private final PrintStream out;
    private final Series series;
    private final long start = System.nanoTime();

    /**
     * @param fleet a fleet that has started
     * @param out for a line now and then
     * @param series gets the measurements over time
     */
    Soak(Fleet fleet, Fleet.Load load, PrintStream out, Series series) {
        this.fleet = fleet;
        this.load = load;
        this.out = out;
        this.series = series;
    }

    /**
     * @param warmUp the time of load before the first measurement without connections
     * @param time the time of load after it, before the second measurement
     * @param betweenKills null if no process is killed
     */
    void run(Duration warmUp, Duration time, Duration betweenKills, Duration betweenLines) throws Exception {
        fleet.begin(load);
        pass(warmUp, null, betweenLines);
        Map<Member, Footprint> before = footprints();
        long connections = fleet.sum("ended", false);
        long began = System.nanoTime();
        fleet.begin(load);
        pass(time, betweenKills, betweenLines);
        double rate = (fleet.sum("ended", false) - connections) * 1e9 / (System.nanoTime() - began);
        line(String.format("that were %,.0f connections a second; all are to end", rate));
        fleet.rest();
        hold();
        Map<Member, Footprint> after = footprints();
        line(fleet.excused() + " ended because the other process was killed, all others as they should");
        for (Member member : fleet.residents()) {
            out.println(member + " stayed on TCP: " + member.lines("fallbacks"));
        }
        out.println(Footprint.titles());
        List<String> grown = new ArrayList<>();
        for (Member member : fleet.residents()) {
            out.println(after.get(member).line(member, before.get(member)));
            after.get(member).grownSince(before.get(member)).forEach(what -> grown.add(member + ": " + what));
        }
        if (!grown.isEmpty()) {
            throw new AssertionError(String.join(System.lineSeparator(), grown));
        }
    }

    private void pass(Duration time, Duration betweenKills, Duration betweenLines) throws Exception {
        long began = System.nanoTime();
        long nextKill = betweenKills == null ? Long.MAX_VALUE : betweenKills.toNanos();
        long nextLine = 0;
        for (long passed = 0; passed < time.toNanos(); passed = System.nanoTime() - began) {
            if (passed >= nextKill) {
                fleet.replaceOne();
                nextKill = passed + betweenKills.toNanos();
            } else if (passed >= nextLine) {
                progress();
                nextLine = passed + betweenLines.toNanos();
            } else {
                long next = Math.min(time.toNanos(), Math.min(nextKill, nextLine)) - passed;
                TimeUnit.NANOSECONDS.sleep(Math.min(next, BETWEEN_LOOKS_NANOS));
                fleet.lookForProblems();
            }
        }
    }

    /** Measures all processes that stay, at rest. */
    private Map<Member, Footprint> footprints() throws Exception {
        fleet.rest();
        Map<Member, Footprint> all = new HashMap<>();
        for (Member member : fleet.residents()) {
            Footprint.of(member); // the first measurement takes memory itself
            all.put(member, Footprint.of(member));
        }
        return all;
    }

    /** Connections that are open and silent use no CPU. */
    private void hold() throws Exception {
        List<Member> clients = fleet.all().stream().filter(member -> !member.serves).toList();
        for (Member client : clients) {
            client.tell("hold " + HELD + " " + start);
        }
        for (Member client : clients) {
            Await.until(client + " holds its connections", () -> client.ask("held") == HELD);
        }
        Map<Member, Double> shares = new LinkedHashMap<>();
        Await.until(() -> "idle processes use less than " + IDLE_CORE_MAX + " of a core: " + shares, () -> {
            addCpuShares(shares);
            return shares.values().stream().allMatch(share -> share <= IDLE_CORE_MAX);
        });
        line(HELD * clients.size() + " connections held; of a core the residents use "
                + shares.values().stream().map(share -> String.format("%.1f %%", 100 * share)).toList());
        fleet.rest();
    }

    /** Lowers each process's share to the one that it used in this second, if that is less. */
    private void addCpuShares(Map<Member, Double> least) throws Exception {
        Map<Member, Long> before = new HashMap<>();
        for (Member member : fleet.residents()) {
            before.put(member, member.cpuNanos());
        }
        long began = System.nanoTime();
        TimeUnit.SECONDS.sleep(1); // the time that is measured
        for (Member member : fleet.residents()) {
            double share = (double) (member.cpuNanos() - before.get(member)) / (System.nanoTime() - began);
            least.merge(member, share, Math::min);
        }
    }

    private void progress() throws IOException {
        Series.Row row = Series.Row.of(seconds(), fleet);
        series.add(row);
        line(row.toString());
    }

    private long seconds() {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    }

    private void line(String text) {
        out.printf("%5d s  %s%n", seconds(), text);
    }
}
