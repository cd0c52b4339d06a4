package jfs.negotiation.policy;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jfs.config.Permissions;
import jfs.config.Transports;
import jfs.spi.Obstacle;
import jfs.spi.TransportProvider;
import jfs.stat.Reason;

/**
 * Decides which transport a connection may use, as far as that follows from the settings and the connection's addresses. The rules of
 * {@code jfs.rules} choose the transport. {@code jfs.transport} restricts what they may choose. Without a matching rule the choice is
 * the first transport of this host. Whether the peer is on this host is checked later, when the connection is worth an offer. A security
 * manager may forbid all fast transports. Immutable. Once the policy is made, nothing here makes a system call.
 */
public final class Policy {

    private final Rules rules;
    private final Transports transports;
    private final String unavailable;
    private final Map<String, Obstacle> obstacles;
    /** For connections without a rule; null if there is no transport for them. Made once: most connections have no rule. */
    private final Choice otherwise;

    /**
     * @param unavailable why this process has no fast transport at all, or null
     * @param obstacles why some transports are not used, by the transports' names
     */
    Policy(Rules rules, Transports transports, String unavailable, Map<String, Obstacle> obstacles) {
        this.rules = rules;
        this.transports = transports;
        this.unavailable = unavailable;
        this.obstacles = Map.copyOf(obstacles);
        TransportProvider ofThisHost = transports.ofThisHost();
        this.otherwise = ofThisHost == null ? null : Choice.of(ofThisHost, false);
    }

    /**
     * Makes the policy of this process. Asks each transport that a connection may use whether it can be used. The transport may load
     * libraries then.
     *
     * @param unavailable why this process has no fast transport at all, or null
     */
    public static Policy of(Transports transports, Rules rules, String unavailable) {
        Map<String, Obstacle> obstacles = new HashMap<>();
        for (TransportProvider it : unavailable == null ? transports.allowed() : List.<TransportProvider>of()) {
            Obstacle obstacle = mayBeChosen(it, transports, rules) ? obstacle(it) : null;
            if (obstacle != null) {
                obstacles.put(it.name(), obstacle);
            }
        }
        return new Policy(rules, transports, unavailable, obstacles);
    }

    /** A provider whose code fails must not fail the program's socket. */
    private static Obstacle obstacle(TransportProvider of) {
        try {
            return of.obstacle();
        } catch (RuntimeException | LinkageError e) {
            return new Obstacle(Obstacle.NO_TRANSPORT, e.toString(), false);
        }
    }

    private static boolean mayBeChosen(TransportProvider transport, Transports transports, Rules rules) {
        return transport == transports.ofThisHost() || rules.choose(transport);
    }

    public Rules rules() {
        return rules;
    }

    public Transports transports() {
        return transports;
    }

    /** @return the transports that a connection of this process may get. No others need to be opened */
    public List<TransportProvider> usable() {
        List<TransportProvider> usable = new ArrayList<>();
        if (unavailable == null) {
            for (TransportProvider it : transports.allowed()) {
                Obstacle obstacle = obstacles.get(it.name());
                if (mayBeChosen(it, transports, rules) && (obstacle == null || obstacle.overridable() && it.betweenHosts())) {
                    usable.add(it);
                }
            }
        }
        return usable;
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
        if (rule != null && rule.transport() == null) {
            return Choice.tcp(new Refusal(Reason.RULE, rule.text()));
        }
        TransportProvider transport = rule != null ? rule.transport() : otherwise == null ? null : otherwise.transport();
        if (transport == null || !transports.allow(transport)) {
            return Choice.tcp(new Refusal(Reason.TRANSPORT_OFF,
                    rule == null ? null : "jfs.transport forbids " + rule.text()));
        }
        Obstacle obstacle = obstacles.get(transport.name());
        if (obstacle != null && !(obstacle.overridable() && rule != null && rule.forced())) {
            return Choice.tcp(new Refusal(Reason.named(obstacle.reason(), Reason.NO_TRANSPORT), obstacle.detail()));
        }
        return rule == null ? otherwise : Choice.of(transport, rule.trusted());
    }
}
