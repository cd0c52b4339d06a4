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
import jfs.conformance.Await;

/** From the first connection to the last, with what was there before and after. */
final class Soak {

    private static final int HELD = 100;
    /** So often that there still are the histories of what has gone wrong. */
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /** What a process without work may use of a core; one that spins uses all of it. */
    private static final double IDLE_CORE_MAX = 0.05;

    private final Fleet fleet;
    private final Fleet.Load load;
    private final PrintStream out;
    private final Series series;
    private final long start = System.nanoTime();

    /**
     * @param fleet which has started
     * @param out for a line now and then
     * @param series gets what was seen over time
     */
    Soak(Fleet fleet, Fleet.Load load, PrintStream out, Series series) {
        this.fleet = fleet;
        this.load = load;
        this.out = out;
        this.series = series;
    }

    /**
     * @param warmUp before it is measured what there is without connections
     * @param time of the load afterwards; then it is measured again
     * @param betweenKills null if none is killed
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

    /** Everything at rest. */
    private Map<Member, Footprint> footprints() throws Exception {
        fleet.rest();
        Map<Member, Footprint> all = new HashMap<>();
        for (Member member : fleet.residents()) {
            Footprint.of(member); // asking takes memory, the first time
            all.put(member, Footprint.of(member));
        }
        return all;
    }

    /** Connections that are open and silent cost no CPU. */
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

    /** The least that each used in a second. */
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
