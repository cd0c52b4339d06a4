package jfs.launcher.check;

import java.util.List;
import jfs.launcher.Json;
import jfs.launcher.status.Addresses;

/** What was found for each address of a host. Its texts are for people and, as JSON (RFC 8259), for programs. */
public final class CheckReport {

    private final String host;
    private final int port;
    private final List<Finding> findings;

    CheckReport(String host, int port, List<Finding> findings) {
        this.host = host;
        this.port = port;
        this.findings = findings;
    }

    /** Whether a process listens at one of the addresses, and connections to each address at which one listens become fast. */
    public boolean fast() {
        List<Finding> listening = findings.stream().filter(Finding::listens).toList();
        return !listening.isEmpty() && listening.stream().allMatch(Finding::fast);
    }

    /** Lines for people. */
    public String text() {
        StringBuilder text = new StringBuilder();
        for (Finding it : findings) {
            text.append(Addresses.text(it.address().getHostAddress(), it.port()));
            if (it.fast()) {
                text.append(": fast over ").append(it.transport()).append("\n    how: ").append(it.why()).append('\n');
            } else {
                text.append(it.listens() ? ": over TCP" : ": no connection").append("\n    why: ")
                        .append(it.reason() == null ? "" : it.reason() + ": ").append(it.why())
                        .append("\n    what to do: ").append(it.remedy()).append('\n');
            }
        }
        return text.toString();
    }

    /** One JSON object, whose names docs/reference.md lists. */
    public String json() {
        Json json = new Json();
        json.beginObject().name("host").value(host).name("port").value(port).name("fast").value(fast()).name("addresses").beginArray();
        for (Finding it : findings) {
            json.beginObject().name("address").value(it.address().getHostAddress()).name("listens").value(it.listens())
                    .name("fast").value(it.fast()).name("transport").value(it.transport())
                    .name("reason").value(it.reason() == null ? null : it.reason().name()).name("why").value(it.why())
                    .name("remedy").value(it.remedy()).endObject();
        }
        return json.endArray().endObject().text() + "\n";
    }
}
