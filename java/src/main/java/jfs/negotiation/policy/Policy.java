package jfs.negotiation.policy;

import java.net.InetAddress;
import java.util.Set;
import jfs.config.Permissions;
import jfs.stat.Reason;

/**
 * Decides which transport a connection may use, as far as that follows from the settings and the connection's addresses. The rules of
 * {@code jfs.rules} choose the transport. {@code jfs.transport} restricts what they may choose. Without a matching rule the choice is
 * shared memory. Whether the peer is on this host is checked later, when the connection is worth an offer. A security manager may
 * forbid all fast transports. Immutable; nothing here makes a system call.
 */
public final class Policy {

    private final Rules rules;
    private final Set<String> allowed;
    private final String unavailable;
    private final String mxUnavailable;
    private final String noRdma;

    /**
     * @param allowed the fast transports that {@code jfs.transport} allows
     * @param unavailable why this process has no fast transport at all, or null
     * @param mxUnavailable why this process has no MX, or null
     * @param noRdma what lies under MX, if nothing faster than the kernel's TCP does; else null
     */
    public Policy(Rules rules, Set<String> allowed, String unavailable, String mxUnavailable, String noRdma) {
        this.rules = rules;
        this.allowed = Set.copyOf(allowed);
        this.unavailable = unavailable;
        this.mxUnavailable = mxUnavailable;
        this.noRdma = noRdma;
    }

    public Rules rules() {
        return rules;
    }

    public Choice connecting(InetAddress remote, int remotePort) {
        return choice(rules.connecting(remote, remotePort));
    }

    public Choice accepting(InetAddress remote, int localPort) {
        return choice(rules.accepting(remote, localPort));
    }

    private Choice choice(Rule rule) {
        String why = unavailable != null ? unavailable : Permissions.denied();
        if (why != null) {
            return Choice.tcp(new Refusal(Reason.UNAVAILABLE, why));
        }
        String transport = rule == null ? Rule.SCI : rule.transport();
        if (transport.equals(Rule.TCP)) {
            return Choice.tcp(new Refusal(Reason.RULE, rule.text()));
        }
        if (!allowed.contains(transport)) {
            return Choice.tcp(new Refusal(Reason.TRANSPORT_OFF,
                    rule == null ? null : "jfs.transport forbids " + rule.text()));
        }
        return transport.equals(Rule.MX) ? mx(rule) : Choice.SHARED_MEMORY;
    }

    private Choice mx(Rule rule) {
        if (mxUnavailable != null) {
            return Choice.tcp(new Refusal(Reason.NO_MX, mxUnavailable));
        }
        if (noRdma != null && !rule.forced()) {
            return Choice.tcp(new Refusal(Reason.NO_RDMA, noRdma));
        }
        return Choice.mx(rule.trusted());
    }
}
