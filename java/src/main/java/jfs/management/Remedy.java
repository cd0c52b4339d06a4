package jfs.management;

import jfs.monitor.ConnectionView;
import jfs.stat.Reason;

/** Why a connection is not fast, and what its user can do about it. Both in words, for the command {@code status} and the MXBean. */
public record Remedy(String why, String remedy) {

    /** Begins the detail of a reason that the peer process has given in its answer. */
    public static final String PEERS = "the peer says: ";

    /** @param upgradeAfter the setting jfs.upgrade.after of the connection's process */
    public static Remedy of(ConnectionView view, int upgradeAfter) {
        if (!view.reason().isEmpty()) {
            Reason reason = Reason.named(view.reason(), null);
            if (reason == null) {
                return new Remedy(view.reason() + ", a reason of another version of JFS" + after(view.detail()),
                        "read the pages of that version");
            }
            boolean peers = view.detail().startsWith(PEERS);
            String why = reason + ": " + (view.detail().isEmpty() ? reason.text() : view.detail());
            Remedy remedy = new Remedy(why, of(reason, view.detail()));
            return peers ? new Remedy(why, remedy.atTheOtherEnd()) : remedy;
        }
        return switch (view.state()) {
            case "PLAIN" -> plain(view, view.accepted() ? upgradeAfter / 32 : upgradeAfter);
            case "CANDIDATE" -> new Remedy(view.accepted() ? "no offer of its client has come so far"
                    : "its next offer is due at a later use of it", view.accepted()
                    ? "ask status for its client's process, which has the reason; if status does not show it, start it under JFS,"
                            + " and without a proxy between the two" : "nothing: JFS tries again by itself");
            case "OFFERED" -> new Remedy("it is being offered", "wait a moment");
            case "ATTACHED" -> new Remedy("it has its path, and no byte has gone by it yet",
                    "nothing: each direction switches at its next use");
            default -> new Remedy("it is being closed", "nothing");
        };
    }

    /** The remedy in the words for the user of this end, if the other end's process has the reason. */
    public String atTheOtherEnd() {
        return remedy.startsWith("nothing") ? remedy : "at the other end: " + remedy;
    }

    /**
     * The remedy for a connection that is not offered yet. A channel may have lasted long enough, and wait for the first seconds of its
     * process to pass ({@code jfs.nio.WarmUp}).
     *
     * @param needed turnarounds. An accepted connection is entered in the table of offers after a thirty-second of the setting
     *            ({@code Settings.awaitOffersAfter})
     */
    private static Remedy plain(ConnectionView view, int needed) {
        String then = view.accepted() ? "offers can find it" : "JFS offers it";
        if (view.turnarounds() < needed) {
            return new Remedy("it has had " + view.turnarounds() + " of the " + needed + " requests and answers after which " + then,
                    "nothing, if it goes on; connections that stay short do not gain");
        }
        return view.channel() ? new Remedy(then + " at its next use, but not in the first four seconds in which its process talks over"
                + " channels", "nothing, if it goes on; with jfs.nio=on there is no such delay")
                : new Remedy(then + " at its next use", "nothing, if it goes on");
    }

    private static String after(String detail) {
        return detail.isEmpty() ? "" : ": " + detail;
    }

    /** What to do about a reason, where its detail says more than the reason. */
    public static String of(Reason reason, String detail) {
        if (reason == Reason.FOREIGN_USER && detail.contains("user namespace")) {
            return "run both as one user, or both in one user namespace, or map the peer's user in this one";
        }
        if (reason == Reason.NO_RESOURCES && detail.startsWith("the control group has ")) {
            return "raise the memory limit of the container or service, or give the JVM a smaller heap (-Xmx)";
        }
        if (reason == Reason.NO_RESOURCES && (detail.contains("RLIMIT_NOFILE") || detail.contains("Too many open files"))) {
            return "raise the limit of descriptors of its process: ulimit -n 65536 in the shell that starts it, or LimitNOFILE= of a"
                    + " systemd service";
        }
        return of(reason);
    }

    /** One sentence for each reason; a test compares them with the reasons. */
    public static String of(Reason reason) {
        return switch (reason) {
            case UNAVAILABLE -> "run java -jar jfs.jar selftest as that program runs: as its user, with its options -Djfs and its"
                    + " environment; it says what is missing";
            case TRANSPORT_OFF -> "set jfs.transport to sci, mx or both";
            case RULE -> "change that line of the file that the setting jfs.rules of its process names;"
                    + " java -jar jfs.jar rules check FILE HOST PORT tries a file";
            case NO_MX -> "install libucx0, or take the rule back";
            case NO_RDMA -> "write mx forced in the rule if TCP between the hosts is what you want, or take the rule back";
            case NO_TRANSPORT -> "read the exception in this line; the transport's page says what it needs";
            case NOT_ASKED -> "nothing, if such connections are short; else a smaller jfs.upgrade.after";
            case NO_OFFER -> "start the client under JFS, or look at its end of the connection";
            case OTHER_SELECTOR -> "nothing: the selector is not JFS's";
            case SENDFILE -> "nothing: the kernel sends files with fewer copies";
            case PROXIED -> "connect without the proxy";
            case NO_NAME -> "close listeners that are not needed, or start the server again";
            case OTHER_HOST -> "on one machine run both in one network namespace, as the containers of a pod;"
                    + " between hosts write a rule with mx at both ends: docs/how-to/cluster.md";
            case NO_PEER -> "start the other program under JFS, in this network namespace, and connect without a proxy";
            case OTHER_FABRIC, OTHER_TRANSPORT -> "set jfs.transport, jfs.rules and jfs.sci.library alike at both ends";
            case PEER_BUSY -> "nothing: JFS tries again";
            case NO_RENDEZVOUS -> "start the other program under JFS with a rule that says mx, and open jfs.hosts.ports";
            case WRONG_KEY -> "give both hosts the same key file (jfs.hosts.key), or both rules trusted";
            case TRANSLATED -> "connect without address translation, and start the other program under JFS";
            case ALTERED -> "connect without the proxy that changes bytes";
            case FOREIGN_USER -> "run both as one user, or name the other user's number in jfs.allow.uids at both ends,"
                    + " if that is the server's user";
            case UNPROVEN -> "run on Linux 5.0 or newer with sock_diag, or set jfs.unproven=allow if you trust the user";
            case NOT_MINE -> "start the program that holds the other end under JFS";
            case NO_ANSWER -> "nothing: JFS tries again; if it stays, the other process is stopped or overloaded";
            case HUNG_UP -> "look at the other end; jfs.allow.uids there has to name this user if it is another one";
            case DECLINED -> "look at the other end, which has its reason";
            case BAD_MESSAGE, VERSION -> "use the same jfs.jar at both ends";
            case NO_RESOURCES -> "raise the limit that the reason names; where it names none, ask status for that process,"
                    + " and look at its descriptors (ulimit -n), threads (ulimit -u) and memory";
            case STALE -> "nothing: the connection is ending";
            case FAILED, PATH_FAILED -> "start both programs with jfs.log=all, and report what the log says";
        };
    }
}
