package jfs.launcher.status;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import jfs.management.JoinedConnections;
import jfs.management.Remedy;
import jfs.monitor.ConnectionView;
import jfs.monitor.ConnectionView.Direction;

/** For people: a paragraph for each process, and two or three lines for each connection. Connections with the most bytes come first. */
public final class TextReport {

    /** How many connections of a process are shown; of the others only the numbers. */
    private static final int SHOWN = 20;
    private static final Comparator<JoinedConnections.Connection> BY_BYTES =
            Comparator.comparingLong(it -> -(it.view().in().bytes() + it.view().out().bytes()));

    private final StringBuilder text = new StringBuilder();
    private final Ends ends;
    private final Rates rates;

    private TextReport(Ends ends, Rates rates) {
        this.ends = ends;
        this.rates = rates;
    }

    /**
     * @param all whether all connections are shown
     * @param rates null to show none
     */
    public static String of(List<JfsProcess> processes, Ends ends, boolean all, Rates rates) {
        TextReport report = new TextReport(ends, rates);
        if (processes.isEmpty()) {
            report.text.append(isRoot() ? "no process here uses JFS\n"
                    : "no process of this user uses JFS (root sees those of all users)\n");
        }
        processes.forEach(it -> report.add(it, all));
        return report.text.toString();
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private void add(JfsProcess process, boolean all) {
        List<JoinedConnections.Connection> connections = process.connections();
        long fast = connections.stream().filter(it -> it.view().isFast()).count();
        text.append(process.pid()).append(' ').append(process.program()).append(": ");
        if (process.problem() != null) {
            text.append(process.problem());
        } else {
            text.append(counted(connections.size(), "connection")).append(", ").append(fast).append(" fast");
        }
        if (process.outOfReach() > 0) {
            text.append("; ").append(process.outOfReach()).append(" that JFS can't reach");
        }
        text.append('\n');
        process.otherLibraries().forEach(it -> text.append("  ").append(it).append('\n'));
        if (process.table() == null) {
            if (process.remedy() != null) {
                text.append("  what to do: ").append(process.remedy()).append('\n');
            }
            return;
        }
        if (!process.table().unavailable().isEmpty()) {
            text.append("  no connection can be fast: ").append(process.table().unavailable()).append('\n');
        }
        if (!process.table().channelsUnavailable().isEmpty()) {
            text.append("  no channel can be fast: ").append(process.table().channelsUnavailable()).append('\n');
        }
        Map<String, Long> counters = process.table().counters();
        text.append("  so far ").append(counted(counters.get("connections"), "connection")).append(", ").append(counters.get("attached"))
                .append(" got a path");
        process.table().reasons().forEach((reason, count) -> text.append(", ").append(reason).append(' ').append(count));
        text.append('\n');
        if (process.table().withoutRow() > 0) {
            text.append("  there was no room to show ").append(counted(process.table().withoutRow(), "connection")).append('\n');
        }
        int shown = all || connections.size() <= SHOWN ? connections.size() : SHOWN;
        List<JoinedConnections.Connection> sorted = connections.stream().sorted(BY_BYTES).toList();
        sorted.subList(0, shown).forEach(it -> add(process, it));
        if (shown < sorted.size()) {
            addNumbers(sorted.subList(shown, sorted.size()));
        }
    }

    private void addNumbers(List<JoinedConnections.Connection> others) {
        Map<String, Integer> reasons = new TreeMap<>();
        int fast = 0;
        long bytes = 0;
        for (JoinedConnections.Connection it : others) {
            bytes += it.view().in().bytes() + it.view().out().bytes();
            if (it.view().isFast()) {
                fast++;
            } else {
                reasons.merge(it.view().reason().isEmpty() ? "no reason so far" : it.view().reason(), 1, Integer::sum);
            }
        }
        text.append("  ").append(counted(others.size(), "more connection")).append(" with fewer bytes each, ").append(bytes(bytes))
                .append(" together: ").append(fast).append(" fast");
        reasons.forEach((reason, count) -> text.append(", ").append(count).append(" over TCP (").append(reason).append(')'));
        text.append("; --all shows them\n");
    }

    private void add(JfsProcess process, JoinedConnections.Connection connection) {
        ConnectionView view = connection.view();
        String own = Addresses.text(connection.ownAddress() == null ? "?" : connection.ownAddress(), view.ownPort());
        String peer = Addresses.text(view.peer().getHostAddress(), view.port());
        text.append("  ").append(own).append(view.accepted() ? " <- " : " -> ").append(peer).append(' ')
                .append(view.channel() ? "SocketChannel" : "Socket").append(", ").append(age(view.since())).append(", ")
                .append(view.isFast() ? "fast over " + view.transport() : "over TCP").append('\n');
        Rates.Rate rate = rates == null ? null : rates.of(process, view);
        add("in", view.in(), ends.waitingIn(process, connection), view.ring(), rate == null ? -1 : rate.in(),
                rate == null ? -1 : rate.inWaits());
        add("out", view.out(), ends.waitingOut(process, connection), view.ring(), rate == null ? -1 : rate.out(),
                rate == null ? -1 : rate.outWaits());
        if (!view.isFast()) {
            Remedy remedy = ends.remedy(process, connection);
            text.append("    why: ").append(remedy.why()).append("\n    what to do: ").append(remedy.remedy()).append('\n');
        }
    }

    /** @param waiting bytes; -1 if that is not known. @param rate bytes each second. @param waitRate waits; both -1 for none */
    private void add(String name, Direction direction, long waiting, int ring, double rate, double waitRate) {
        text.append(String.format(Locale.ROOT, "    %-3s %s, %s", name, words(direction.phase()), bytes(direction.bytes())));
        if (rate >= 0) {
            text.append(", ").append(bytes(Math.round(rate))).append("/s");
        }
        if (direction.overTcp() > 0 && direction.overTcp() < direction.bytes()) {
            text.append(" (").append(bytes(direction.overTcp())).append(" of them over TCP)");
        }
        if (waiting >= 0) {
            text.append(", ").append(bytes(waiting)).append(" wait").append(ring == 0 ? "" : ring < waiting
                    ? ", more than the ring of " + bytes(ring) + " holds" : " in a ring of " + bytes(ring));
        }
        long waits = direction.found() + direction.sleeps();
        if (waits > 0) {
            text.append(", ").append(counted(waits, "wait"));
            if (waitRate >= 0) {
                text.append(String.format(Locale.ROOT, ", %.0f/s", waitRate));
            }
            text.append(": ").append(direction.found()).append(" ended by a poll, ").append(direction.sleeps()).append(" slept");
        }
        if (direction.bells() > 0) {
            text.append(", rang ").append(counted(direction.bells(), "time"));
        }
        text.append('\n');
    }

    private static String counted(long count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }

    /** The phase of a direction in words. */
    static String words(String phase) {
        return switch (phase) {
            case "TCP" -> "over TCP";
            case "TCP_ONLY" -> "over TCP for good";
            case "BOTH" -> "watches TCP and the path";
            case "FAST" -> "by the path";
            case "ENDED" -> "ended";
            case "BROKEN" -> "broken";
            default -> phase;
        };
    }

    private static String age(long since) {
        long seconds = Math.max(0, Duration.between(Instant.ofEpochMilli(since), Instant.now()).toSeconds());
        return seconds < 120 ? seconds + " s" : seconds < 7_200 ? seconds / 60 + " min" : seconds / 3_600 + " h";
    }

    private static String bytes(long count) {
        if (count < 10_000) {
            return counted(count, "byte");
        }
        double amount = count;
        for (String unit : List.of("KB", "MB", "GB")) {
            amount /= 1_024;
            if (amount < 10_000 || unit.equals("GB")) {
                return String.format(Locale.ROOT, amount == Math.rint(amount) ? "%.0f %s" : "%.1f %s", amount, unit);
            }
        }
        throw new AssertionError();
    }
}
