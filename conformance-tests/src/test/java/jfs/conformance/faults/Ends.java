package jfs.conformance.faults;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jfs.conformance.faults.Cell.End;
import jfs.conformance.harness.EndKind;

/** What the two ends of a connection are. */
record Ends(EndKind client, EndKind server) {

    /** Sockets at both ends. */
    static final List<Ends> SOCKETS = List.of(new Ends(EndKind.SOCKET, EndKind.SOCKET));
    /** Channels at one end or at both. */
    static final List<Ends> CHANNELS = Stream.of(EndKind.values()).flatMap(client -> Stream.of(EndKind.values())
            .map(server -> new Ends(client, server))).filter(ends -> !SOCKETS.contains(ends)).toList();

    /** The kinds that these ends have. */
    static Set<EndKind> kinds(List<Ends> all) {
        return all.stream().flatMap(ends -> Stream.of(ends.client, ends.server)).collect(Collectors.toCollection(TreeSet::new));
    }

    EndKind at(End end) {
        return end == End.CLIENT ? client : server;
    }

    boolean areAlike() {
        return client == server;
    }

    @Override
    public String toString() {
        return client + " to " + server;
    }
}
