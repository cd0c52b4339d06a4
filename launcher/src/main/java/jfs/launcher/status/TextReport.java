package jfs.launcher.status;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import jfs.management.Remedy;
import jfs.monitor.ConnectionView;
import jfs.monitor.ConnectionView.Direction;

/** For people: a paragraph for each process, and two or three lines for each connection. */
public final class TextReport {

    private TextReport() {
    }

    public static String of(List<JfsProcess> processes) {
        StringBuilder text = new StringBuilder();
        if (processes.isEmpty()) {
            text.append("no process of this user uses JFS (root sees those of all users)\n");
        }
        for (JfsProcess process : processes) {
            add(text, process);
        }
        return text.toString();
    }

    private static void add(StringBuilder text, JfsProcess process) {
        List<JfsProcess.Connection> connections = process.connections();
        long fast = connections.stream().filter(it -> it.view().isFast()).count();
        text.append(process.pid()).append(' ').append(process.program()).append(": ");
        if (process.problem() != null) {
            text.append(process.problem());
        } else {
            text.append(connections.size()).append(connections.size() == 1 ? " connection, " : " connections, ").append(fast)
                    .append(" fast");
        }
        if (process.outOfReach() > 0) {
            text.append("; ").append(process.outOfReach()).append(" that JFS can't reach");
        }
        text.append('\n');
        process.otherLibraries().forEach(it -> text.append("  ").append(it).append('\n'));
        if (process.table() == null) {
            return;
        }
        if (!process.table().unavailable().isEmpty()) {
            text.append("  no connection can be fast: ").append(process.table().unavailable()).append('\n');
        }
        if (!process.table().channelsUnavailable().isEmpty()) {
            text.append("  no channel can be fast: ").append(process.table().channelsUnavailable()).append('\n');
        }
        Map<String, Long> counters = process.table().counters();
        text.append("  so far ").append(counters.get("connections")).append(" connections, ").append(counters.get("attached"))
                .append(" got a path");
        process.table().reasons().forEach((reason, count) -> text.append(", ").append(reason).append(' ').append(count));
        text.append('\n');
        if (process.table().withoutRow() > 0) {
            text.append("  there was no room to show ").append(process.table().withoutRow()).append(" connections\n");
        }
        for (JfsProcess.Connection connection : connections) {
            add(text, connection, process.table().upgradeAfter());
        }
    }

    private static void add(StringBuilder text, JfsProcess.Connection connection, int upgradeAfter) {
        ConnectionView view = connection.view();
        String own = Addresses.text(connection.ownAddress() == null ? "?" : connection.ownAddress(), view.ownPort());
        String peer = Addresses.text(view.peer().getHostAddress(), view.port());
        text.append("  ").append(own).append(view.accepted() ? " <- " : " -> ").append(peer).append(' ')
                .append(view.channel() ? "SocketChannel" : "Socket").append(", ").append(age(view.since())).append(", ")
                .append(view.isFast() ? "fast over " + view.transport() : "over TCP").append('\n');
        add(text, "in", view.in());
        add(text, "out", view.out());
        if (!view.isFast()) {
            Remedy remedy = Remedy.of(view, upgradeAfter);
            text.append("    why: ").append(remedy.why()).append("\n    what to do: ").append(remedy.remedy()).append('\n');
        }
    }

    private static void add(StringBuilder text, String name, Direction direction) {
        text.append(String.format(Locale.ROOT, "    %-3s %s, %s", name, words(direction.phase()), bytes(direction.bytes())));
        if (direction.overTcp() > 0 && direction.overTcp() < direction.bytes()) {
            text.append(" (").append(bytes(direction.overTcp())).append(" of them over TCP)");
        }
        long waits = direction.found() + direction.sleeps();
        if (waits > 0) {
            text.append(", ").append(waits).append(waits == 1 ? " wait: " : " waits: ").append(direction.found())
                    .append(" ended by a poll, ").append(direction.sleeps()).append(" slept");
        }
        if (direction.bells() > 0) {
            text.append(", rang ").append(direction.bells()).append(direction.bells() == 1 ? " time" : " times");
        }
        text.append('\n');
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
            return count + " bytes";
        }
        double amount = count;
        for (String unit : List.of("KB", "MB", "GB")) {
            amount /= 1_024;
            if (amount < 10_000 || unit.equals("GB")) {
                return String.format(Locale.ROOT, "%.1f %s", amount, unit);
            }
        }
        throw new AssertionError();
    }
}
