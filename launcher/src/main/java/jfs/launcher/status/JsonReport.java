package jfs.launcher.status;

import java.util.List;
import java.util.Map;
import jfs.launcher.Json;
import jfs.management.JoinedConnections;
import jfs.management.Remedy;
import jfs.monitor.ConnectionView;

/** For programs: one JSON object (RFC 8259), whose names docs/reference.md lists. */
public final class JsonReport {

    private JsonReport() {
    }

    public static String of(List<JfsProcess> processes, Ends ends) {
        Json json = new Json();
        json.beginObject().name("processes").beginArray();
        processes.forEach(it -> add(json, it, ends));
        return json.endArray().endObject().text() + "\n";
    }

    private static void add(Json json, JfsProcess process, Ends ends) {
        json.beginObject().name("pid").value(Long.parseLong(process.pid())).name("program").value(process.program());
        json.name("problem").value(process.problem()).name("remedy").value(process.remedy());
        json.name("outOfReach").value(process.outOfReach());
        json.name("otherLibraries").beginArray();
        process.otherLibraries().forEach(json::value);
        json.endArray();
        if (process.table() != null) {
            json.name("since").value(process.table().since());
            json.name("unavailable").value(emptyIsNull(process.table().unavailable()));
            json.name("channelsUnavailable").value(emptyIsNull(process.table().channelsUnavailable()));
            json.name("withoutRow").value(process.table().withoutRow());
            add(json, "counters", process.table().counters());
            add(json, "reasons", process.table().reasons());
            json.name("connections").beginArray();
            process.connections().forEach(it -> add(json, process, it, ends));
            json.endArray();
        }
        json.endObject();
    }

    private static void add(Json json, String name, Map<String, Long> numbers) {
        json.name(name).beginObject();
        numbers.forEach((key, value) -> json.name(key).value(value));
        json.endObject();
    }

    private static void add(Json json, JfsProcess process, JoinedConnections.Connection connection, Ends ends) {
        ConnectionView view = connection.view();
        json.beginObject().name("ownAddress").value(connection.ownAddress()).name("ownPort").value(view.ownPort());
        json.name("peerAddress").value(view.peer().getHostAddress()).name("peerPort").value(view.port());
        json.name("class").value(view.channel() ? "SocketChannel" : "Socket").name("accepted").value(view.accepted());
        json.name("since").value(view.since()).name("state").value(view.state());
        json.name("transport").value(emptyIsNull(view.transport())).name("fast").value(view.isFast());
        json.name("reason").value(emptyIsNull(view.reason()));
        Remedy remedy = view.isFast() ? null : ends.remedy(process, connection);
        Ends.End other = ends.other(process, connection);
        json.name("why").value(remedy == null ? null : remedy.why()).name("remedy").value(remedy == null ? null : remedy.remedy());
        addIfKnown(json, "otherPid", other == null ? -1 : Long.parseLong(other.process().pid()));
        addIfKnown(json, "ring", view.ring() == 0 ? -1 : view.ring());
        add(json, "in", view.in(), ends.waitingIn(process, connection));
        add(json, "out", view.out(), ends.waitingOut(process, connection));
        json.endObject();
    }

    private static void add(Json json, String name, ConnectionView.Direction direction, long waiting) {
        json.name(name).beginObject().name("phase").value(direction.phase()).name("bytes").value(direction.bytes())
                .name("overTcp").value(direction.overTcp()).name("polled").value(direction.found())
                .name("slept").value(direction.sleeps()).name("bells").value(direction.bells());
        addIfKnown(json, "waiting", waiting);
        json.endObject();
    }

    private static void addIfKnown(Json json, String name, long value) {
        json.name(name);
        if (value < 0) {
            json.value((String) null);
        } else {
            json.value(value);
        }
    }

    private static String emptyIsNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
