package jfs.launcher.status;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import jfs.management.JoinedConnections;
import jfs.monitor.ConnectionView;

/** The totals of each process in Prometheus' text format, version 0.0.4. A label has the process's number and program. */
public final class PrometheusReport {

    private static final Map<String, String> HELP = new TreeMap<>(Map.of(
            "connections", "ends of connections so far", "attached", "ends that got a fast path",
            "switchedOut", "sending directions switched", "switchedIn", "receiving directions switched",
            "offers", "offers made", "joined", "offers taken", "retries", "offers made again",
            "plainChannels", "channels for which JFS could not do its part"));

    private PrometheusReport() {
    }

    public static String of(List<JfsProcess> processes, Ends ends) {
        List<JfsProcess> known = processes.stream().filter(it -> it.table() != null).toList();
        StringBuilder text = new StringBuilder();
        HELP.forEach((counter, help) -> {
            String name = "jfs_" + counter.replaceAll("([A-Z])", "_$1").toLowerCase(java.util.Locale.ROOT) + "_total";
            head(text, name, help, "counter");
            known.forEach(it -> line(text, name, it, "", it.table().counters().get(counter)));
        });
        head(text, "jfs_over_tcp", "connections that are, or stayed, over TCP for a reason", "gauge");
        known.forEach(it -> it.table().reasons().forEach(
                (reason, count) -> line(text, "jfs_over_tcp", it, ",reason=\"" + reason + "\"", count)));
        head(text, "jfs_open_connections", "connections open now", "gauge");
        known.forEach(it -> line(text, "jfs_open_connections", it, "", it.connections().size()));
        head(text, "jfs_open_fast_connections", "connections open now with at least one direction by the path", "gauge");
        known.forEach(it -> line(text, "jfs_open_fast_connections", it, "",
                it.connections().stream().map(JoinedConnections.Connection::view).filter(ConnectionView::isFast).count()));
        head(text, "jfs_waiting_bytes", "bytes in open paths that the receiver has not read, where both ends are known",
                "gauge");
        known.forEach(it -> {
            line(text, "jfs_waiting_bytes", it, ",direction=\"in\"", sum(it, connection -> ends.waitingIn(it, connection)));
            line(text, "jfs_waiting_bytes", it, ",direction=\"out\"", sum(it, connection -> ends.waitingOut(it, connection)));
        });
        head(text, "jfs_ring_bytes", "bytes of the rings of open connections, for each direction", "gauge");
        known.forEach(it -> line(text, "jfs_ring_bytes", it, "", sum(it, connection -> connection.view().ring())));
        head(text, "jfs_out_of_reach_connections", "TCP connections open now that JFS can't reach", "gauge");
        processes.forEach(it -> line(text, "jfs_out_of_reach_connections", it, "", it.outOfReach()));
        return text.toString();
    }

    private static long sum(JfsProcess process, ToLongFunction<JoinedConnections.Connection> number) {
        return process.connections().stream().mapToLong(number).filter(it -> it > 0).sum();
    }

    private static void head(StringBuilder text, String name, String help, String type) {
        text.append("# HELP ").append(name).append(' ').append(help).append("\n# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private static void line(StringBuilder text, String name, JfsProcess process, String label, long value) {
        String program = process.program().replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
        text.append(name).append("{pid=\"").append(process.pid()).append("\",program=\"").append(program).append('"').append(label)
                .append("} ").append(value).append('\n');
    }
}
