package jfs.connection;

import java.util.Map;
import java.util.Properties;
import jfs.config.Settings;
import jfs.config.Transports;
import jfs.negotiation.Negotiator;
import jfs.negotiation.policy.Policy;
import jfs.negotiation.policy.Rules;
import jfs.transport.BuiltIn;

/** A process in which connections may be fast, but which never offers one. The test gives connections their paths. */
class Alone implements Environment {

    private final Settings settings = Settings.read(new Properties(), Map.of());
    private final Negotiator negotiator = new Negotiator(settings,
            Policy.of(Transports.read(settings, BuiltIn.TRANSPORTS), Rules.NONE, null), null);

    @Override
    public Settings settings() {
        return settings;
    }

    @Override
    public Negotiator negotiator() {
        return negotiator;
    }

    @Override
    public IdleWatch idleWatch() {
        throw new AssertionError("no test writes by a path");
    }

    @Override
    public boolean pollsTcp() {
        return false;
    }
}
