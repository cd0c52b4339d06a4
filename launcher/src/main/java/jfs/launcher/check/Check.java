package jfs.launcher.check;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import jfs.config.Settings;
import jfs.launcher.LauncherException;
import jfs.launcher.status.JfsProcess;
import jfs.management.JoinedConnections;
import jfs.management.Remedy;
import jfs.monitor.ConnectionView;
import jfs.nativelib.Posix;
import jfs.negotiation.handshake.local.NameProbe;
import jfs.negotiation.handshake.local.PeerCredentials;
import jfs.negotiation.handshake.remote.RendezvousProbe;
import jfs.negotiation.policy.Choice;
import jfs.stat.Reason;

/**
 * Says whether a connection from a process with the settings of this JVM to a listener would be fast. It asks what a real offer would ask,
 * and opens no connection to the listener. The other end's rules and settings for a connection on one host are asked by a real offer only.
 */
public final class Check {

    private static final String AT_THE_OTHER_END = "at the other end: ";
    private static final String IF_ALLOWED = ", if its own settings and rules allow it";

    private final ThisEnd here;
    private final int port;

    private Check(ThisEnd here, int port) {
        this.here = here;
        this.port = port;
    }

    /**
     * Checks each address of a host. Blocks while name servers and processes are asked, for some seconds each.
     *
     * @param host an address, or a name
     * @throws LauncherException if the host is not known, or if a setting is wrong
     */
    public static CheckReport of(String host, int port) throws LauncherException {
        Check check = new Check(ThisEnd.of(System.getProperties(), System.getenv()), port);
        List<Finding> findings = new ArrayList<>();
        for (InetAddress address : addresses(host)) {
            findings.add(check.of(address));
        }
        return new CheckReport(host, port, findings);
    }

    private static InetAddress[] addresses(String host) throws LauncherException {
        try {
            return InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw new LauncherException("bad host " + host + "; allowed is an address, or the name of a host that can be resolved");
        }
    }

    private Finding of(InetAddress address) {
        boolean local = isLocal(address);
        Listener listener = local ? Listener.of(address, port) : null;
        if (listener != null && !listener.exists()) {
            return Finding.nobody(address, port);
        }
        Choice choice = here.policy().connecting(address, port);
        if (choice.refusal() != null) {
            return Finding.slow(address, port, choice.refusal().reason(), choice.refusal().detail());
        }
        if (isProxied(address)) {
            return Finding.slow(address, port, Reason.PROXIED, null);
        }
        String transport = choice.transport().name();
        if (choice.betweenHosts()) {
            return betweenHosts(address, choice);
        }
        return local ? onThisHost(address, listener, transport) : Finding.slow(address, port, Reason.OTHER_HOST, null);
    }

    /**
     * Whether a socket of this JVM would connect through a SOCKS proxy, as java.net decides it. It compares socksNonProxyHosts with the
     * name that the program uses, and with the address only if the program uses an address.
     */
    private boolean isProxied(InetAddress address) {
        ProxySelector selector = ProxySelector.getDefault();
        if (selector == null) {
            return false;
        }
        String host = new InetSocketAddress(address, port).getHostString().replaceFirst("%.*", "");
        List<Proxy> proxies = selector.select(URI.create("socket://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port));
        return !proxies.isEmpty() && proxies.get(0) != null && proxies.get(0).type() == Proxy.Type.SOCKS;
    }

    private static boolean isLocal(InetAddress address) {
        try {
            return address.isLoopbackAddress() || address.isAnyLocalAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    // ---- on this host ----

    private Finding onThisHost(InetAddress address, Listener listener, String transport) {
        PeerCredentials peers = new PeerCredentials(here.settings().allowedUsers(), false);
        List<NameProbe.Answer> answers = NameProbe.ask(address, port, peers).stream()
                .filter(it -> listener == null || !Boolean.FALSE.equals(listener.isOf(it.process()))).toList();
        for (NameProbe.Answer it : answers) {
            if (it.kind() == NameProbe.Kind.ANSWERS) {
                Finding slow = it.process() > 0 ? shownByTable(address, using(it.process())) : null;
                return slow != null ? slow
                        : Finding.fast(address, port, transport, process(it) + " listens there and takes offers" + IF_ALLOWED);
            }
        }
        for (NameProbe.Answer it : answers) {
            switch (it.kind()) {
                case FOREIGN:
                    return foreign(address, "the listener's name belongs to a process", it.user(), listener);
                case HANGS_UP:
                    return Finding.slow(address, port, Reason.HUNG_UP, process(it) + " hangs up");
                case SILENT:
                    return Finding.slow(address, port, Reason.NO_ANSWER, process(it) + " does not answer",
                            "look whether that process is stopped or overloaded");
                default:
                    return Finding.slow(address, port, Reason.BAD_MESSAGE, null);
            }
        }
        return withoutName(address, listener, transport);
    }

    private static String process(NameProbe.Answer answer) {
        return answer.process() > 0 ? "process " + answer.process() : "a process of another PID namespace";
    }

    /**
     * Any user can take a name that a listener may have. So the user of a name need not be the server's.
     *
     * @param user whom this end does not allow; -1 if that is not known
     * @param listener null if it is not known, or if the user is that of the listener itself
     */
    private Finding foreign(InetAddress address, String what, long user, Listener listener) {
        String why = user < 0 ? what + " whose user the kernel does not tell"
                : user == Settings.OVERFLOW_USER ? what + " whose user has no number in this user namespace (the kernel shows " + user
                        + "), so jfs.allow.uids can't name it"
                : what + " of user " + user + ", whom jfs.allow.uids of this process does not name";
        return Finding.slow(address, port, Reason.FOREIGN_USER,
                why + (listener == null ? "" : "; the listening socket is of user " + listener.rows().get(0).user()));
    }

    /** No process has a name of the listener: it is not JFS's, or none of its connections has become a conversation yet. */
    private Finding withoutName(InetAddress address, Listener listener, String transport) {
        if (listener == null) {
            return Finding.slow(address, port, Reason.NO_PEER, null);
        }
        long user = listener.rows().get(0).user();
        int process = listener.process();
        boolean allowed = user == Integer.toUnsignedLong(Posix.effectiveUser())
                || user != Settings.OVERFLOW_USER && here.settings().allowedUsers().contains((int) user);
        if (!allowed) {
            return foreign(address, "the server has a listening socket", user, null);
        }
        if (process == 0) {
            return Finding.slow(address, port, Reason.NO_PEER, "the server is a process of user " + user + " that this user may not look"
                    + " into, and it takes no offers: it is not running JFS, or no connection to it has lasted long enough so far",
                    "run this command as the server's user, or as root");
        }
        JfsProcess server = using(process);
        if (server == null || server.table() == null) {
            return Finding.slow(address, port, Reason.NO_PEER, server == null ? "process " + process + " listens there without JFS"
                    : "process " + process + " listens there: " + server.problem(), "start that program under JFS");
        }
        if (!server.table().unavailable().isEmpty()) {
            return Finding.slow(address, port, Reason.UNAVAILABLE, AT_THE_OTHER_END + server.table().unavailable(),
                    AT_THE_OTHER_END + Remedy.of(Reason.UNAVAILABLE));
        }
        Finding slow = shownByTable(address, server);
        if (slow != null) {
            return slow;
        }
        return Finding.fast(address, port, transport, "process " + process + " runs JFS. It takes offers for this port as soon as a"
                + " connection has lasted a while" + IF_ALLOWED + "; a socket from before JFS was there, or a channel"
                + " with jfs.nio=off, takes none");
    }

    /** @return null if that process does not use JFS, or this user may not look into it */
    private static JfsProcess using(int process) {
        try {
            return JfsProcess.among(JfsProcess.all(), String.valueOf(process));
        } catch (LauncherException e) {
            return null;
        }
    }

    /**
     * What the server's table of connections shows of its settings: jfs.transport, which all its connections share, or the rule of a
     * connection that it has accepted at this port from this address.
     *
     * @param server may be null
     * @return null if nothing there keeps a connection to this port on TCP
     */
    private Finding shownByTable(InetAddress address, JfsProcess server) {
        if (server == null || server.table() == null) {
            return null;
        }
        for (JoinedConnections.Connection each : server.connections()) {
            ConnectionView view = each.view();
            boolean isOfPort = view.accepted() && view.ownPort() == port;
            boolean isOff = view.reason().equals(Reason.TRANSPORT_OFF.name());
            if (isOfPort && (isOff && view.detail().isEmpty()
                    || (isOff || view.reason().equals(Reason.RULE.name())) && view.peer().equals(address))) {
                Remedy remedy = Remedy.of(view, server.table().upgradeAfter());
                Reason reason = isOff ? Reason.TRANSPORT_OFF : Reason.RULE;
                return Finding.slow(address, port, reason, AT_THE_OTHER_END + "process " + server.pid() + " has a connection on this port"
                        + " that stays on TCP: " + remedy.why(), remedy.atTheOtherEnd());
            }
        }
        return null;
    }

    // ---- between hosts ----

    private Finding betweenHosts(InetAddress address, Choice choice) {
        List<RendezvousProbe.Answer> answers = RendezvousProbe.ask(address, port, here.hosts(), choice.trusted());
        if (answers.isEmpty()) {
            return Finding.slow(address, port, Reason.NO_RENDEZVOUS, null);
        }
        RendezvousProbe.Answer last = answers.get(answers.size() - 1);
        if (last.refusal() == null) {
            return Finding.fast(address, port, choice.transport().name(), "a process there, at port " + last.port()
                    + ", takes offers for port " + port + "; whether it is the one that listens, only a connection shows");
        }
        RendezvousProbe.Answer first = answers.get(0);
        String all = answers.stream().map(it -> "port " + it.port() + ": " + it.refusal()).collect(Collectors.joining(", "));
        return Finding.slow(address, port, first.refusal(), (first.detail() == null ? first.refusal().text() : first.detail())
                + (answers.size() > 1 ? " (" + all + ")" : ""));
    }
}
