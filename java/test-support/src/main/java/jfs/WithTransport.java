package jfs;

import java.lang.reflect.Field;
import java.util.Map;
import jfs.config.Settings;
import jfs.negotiation.Negotiator;
import jfs.negotiation.handshake.remote.Hosts;
import jfs.negotiation.policy.Policy;
import jfs.negotiation.policy.Rules;
import jfs.spi.Transport;

/** Makes this process use a given transport between hosts, instead of the one that it would find. */
public final class WithTransport {

    private WithTransport() {
    }

    /** @param noRdma the network below the transport if that network is not a fast one, else null */
    public static void install(Transport transport, String noRdma) {
        Settings settings = Installation.settings(Map.of());
        Rules rules = settings.rules() == null ? Rules.NONE : Rules.read(settings.rules());
        Hosts hosts = Hosts.read(settings, rules);
        Ground found = Ground.prepare(settings, rules, hosts);
        Policy policy = new Policy(rules, settings.transports(), found.unavailable(), null, noRdma);
        try {
            Field ground = Installation.class.getDeclaredField("ground");
            ground.setAccessible(true);
            ground.set(Installation.with(settings), new Ground(found.unavailable(), found.reachesJdk(),
                    new Negotiator(settings, policy, null, hosts, transport)));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
