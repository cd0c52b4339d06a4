package jfs.launcher.status;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jfs.management.JoinedConnections;
import jfs.management.Remedy;
import jfs.monitor.ConnectionView;
import jfs.stat.Reason;

/**
 * Which two connections of the processes that were looked at are the two ends of one. Two ends have the same two addresses and ports, in
 * the other order. Of two network namespaces that use the same addresses, each has its own. The two ends may also be in two namespaces.
 */
public final class Ends {

    /** One end. */
    record End(JfsProcess process, JoinedConnections.Connection connection) {
    }

    private record Key(String namespace, String address, int port, String peerAddress, int peerPort) {
    }

    private static final String ANY_NAMESPACE = "*";

    private final Map<Key, End> ends = new HashMap<>();
    /** By the ends alone, in the namespace {@link #ANY_NAMESPACE}. */
    private final Map<Key, List<End>> everywhere = new HashMap<>();
    private final List<JfsProcess> processes;

    /** @param processes all that were looked at. A connection whose other end is in none of them has none here */
    public Ends(List<JfsProcess> processes) {
        this.processes = processes;
        for (JfsProcess process : processes) {
            for (JoinedConnections.Connection it : process.connections()) {
                if (it.ownAddress() != null) {
                    End end = new End(process, it);
                    ends.put(key(process.namespace(), it), end);
                    everywhere.computeIfAbsent(key(ANY_NAMESPACE, it), key -> new ArrayList<>(1)).add(end);
                }
            }
        }
    }

    private static Key key(String namespace, JoinedConnections.Connection it) {
        return new Key(namespace, it.ownAddress(), it.view().ownPort(), it.view().peer().getHostAddress(), it.view().port());
    }

    private static Key mirrored(String namespace, JoinedConnections.Connection it) {
        return new Key(namespace, it.view().peer().getHostAddress(), it.view().port(), it.ownAddress(), it.view().ownPort());
    }

    /** @return null if it is not known: it may be of another user, on another host, or not JFS's */
    End other(JfsProcess process, JoinedConnections.Connection it) {
        return ends.get(mirrored(process.namespace(), it));
    }

    /** The only end in another network namespace of this host that has the two addresses and ports, or null. */
    private End inAnotherNamespace(JfsProcess process, JoinedConnections.Connection it) {
        if (it.ownAddress() == null || it.view().peer().isLoopbackAddress()) { // each namespace has a loopback interface of its own
            return null;
        }
        List<End> found = everywhere.getOrDefault(mirrored(ANY_NAMESPACE, it), List.of());
        return found.size() == 1 && !found.get(0).process().namespace().equals(process.namespace()) ? found.get(0) : null;
    }

    /**
     * Why the connection is not fast. If this end has no reason of its own, or has found no peer, the other one's is told: it is often the
     * better one.
     */
    Remedy remedy(JfsProcess process, JoinedConnections.Connection connection) {
        ConnectionView view = connection.view();
        Remedy own = Remedy.of(view, process.table().upgradeAfter());
        boolean noPeer = view.reason().equals(Reason.NO_PEER.name());
        if (hasReason(view) && !noPeer) {
            return own;
        }
        End near = other(process, connection);
        End other = near != null ? near : inAnotherNamespace(process, connection);
        if (other == null) {
            boolean asksHolder = noPeer || view.reason().isEmpty() && view.state().equals("CANDIDATE");
            return asksHolder ? ofHolder(own, process.otherHolder(connection)) : own;
        }
        ConnectionView others = other.connection().view();
        String pid = other.process().pid();
        if (noPeer && other == near && others.reason().isEmpty() && others.state().equals("CANDIDATE")) {
            return new Remedy(own.why() + "; process " + pid + ", which has the other end, takes an offer for it by now",
                    "nothing: JFS tries again by itself");
        }
        boolean knowsMore = hasReason(others) && !others.reason().equals(Reason.NO_OFFER.name())
                || others.reason().isEmpty() && noPeer && others.state().equals("PLAIN")
                || !noPeer && view.state().equals("CANDIDATE");
        if (!knowsMore) {
            return own;
        }
        Remedy theirs = Remedy.of(others, other.process().table().upgradeAfter());
        return new Remedy("the other end, process " + pid + ", says: " + theirs.why(), theirs.atTheOtherEnd());
    }

    /** Whether this end has a reason that the other one has not told. */
    private static boolean hasReason(ConnectionView view) {
        return !view.reason().isEmpty() && !view.detail().startsWith(Remedy.PEERS);
    }

    /** @param pid the process that has the other end, which is none of JFS's; null if that is not known */
    private Remedy ofHolder(Remedy own, String pid) {
        if (pid == null) {
            return own;
        }
        String why = own.why() + "; the other end is of process " + pid + ", " + JfsProcess.name(pid);
        return processes.stream().noneMatch(it -> it.pid().equals(pid)) ? new Remedy(why, own.remedy())
                : new Remedy(why + ", which has jfs.jar, but this connection is not JFS's there", "ask status for process " + pid
                        + "; SocketChannels with jfs.nio=off, AsynchronousSocketChannels, sockets from before attach and what they accept"
                        + " stay on TCP");
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
