package jfs.launcher.status;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jfs.management.JoinedConnections;
import jfs.management.Remedy;
import jfs.monitor.ConnectionView;
import jfs.stat.Reason;

/**
 * Which two connections of the processes that were looked at are the two ends of one. Two ends have the same two addresses and ports, in
 * the other order. Of two network namespaces that use the same addresses, each has its own.
 */
public final class Ends {

    /** One end. */
    record End(JfsProcess process, JoinedConnections.Connection connection) {
    }

    private record Key(String namespace, String address, int port, String peerAddress, int peerPort) {
    }

    private final Map<Key, End> ends = new HashMap<>();

    /** @param processes all that were looked at. A connection whose other end is in none of them has none here */
    public Ends(List<JfsProcess> processes) {
        for (JfsProcess process : processes) {
            for (JoinedConnections.Connection it : process.connections()) {
                if (it.ownAddress() != null) {
                    ends.put(new Key(process.namespace(), it.ownAddress(), it.view().ownPort(), it.view().peer().getHostAddress(),
                            it.view().port()), new End(process, it));
                }
            }
        }
    }

    /** @return null if it is not known: it may be of another user, on another host, or not JFS's */
    End other(JfsProcess process, JoinedConnections.Connection it) {
        return ends.get(new Key(process.namespace(), it.view().peer().getHostAddress(), it.view().port(), it.ownAddress(),
                it.view().ownPort()));
    }

    /** Why the connection is not fast. If this end has no reason of its own, the other one's is told: it is often the better one. */
    Remedy remedy(JfsProcess process, JoinedConnections.Connection connection) {
        Remedy own = Remedy.of(connection.view(), process.table().upgradeAfter());
        boolean itsOwn = !connection.view().reason().isEmpty() && !connection.view().detail().startsWith(Remedy.PEERS);
        End other = itsOwn ? null : other(process, connection);
        if (other == null) {
            boolean hasNoPeer = connection.view().reason().isEmpty() ? connection.view().state().equals("CANDIDATE")
                    : connection.view().reason().equals(Reason.NO_PEER.name());
            String holder = hasNoPeer ? process.otherHolder(connection) : null;
            return holder == null ? own : new Remedy(own.why() + "; the other end is of " + holder, own.remedy());
        }
        ConnectionView view = other.connection().view();
        boolean hasReason = !view.reason().isEmpty() && !view.detail().startsWith(Remedy.PEERS);
        if (!hasReason && !connection.view().state().equals("CANDIDATE")) {
            return own;
        }
        Remedy others = Remedy.of(view, other.process().table().upgradeAfter());
        return new Remedy("the other end, process " + other.process().pid() + ", says: " + others.why(),
                "at the other end: " + others.remedy());
    }

    /** How many bytes that have come by the path this end has not read yet. @return -1 if that is not known */
    long waitingIn(JfsProcess process, JoinedConnections.Connection it) {
        End other = other(process, it);
        return other == null ? -1 : waiting(other, new End(process, it));
    }

    /** How many bytes that have gone by the path the other end has not read yet. @return -1 if that is not known */
    long waitingOut(JfsProcess process, JoinedConnections.Connection it) {
        End other = other(process, it);
        return other == null ? -1 : waiting(new End(process, it), other);
    }

    private static long waiting(End sender, End receiver) {
        ConnectionView sent = sender.connection().view();
        ConnectionView received = receiver.connection().view();
        if (!sent.out().phase().equals("FAST") || !received.in().phase().equals("FAST")) {
            return -1;
        }
        return sender.process().table().waiting(sent, receiver.process().table(), received);
    }
}
