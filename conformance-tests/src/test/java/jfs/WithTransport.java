package jfs;

import java.lang.reflect.Field;
import java.util.Map;
import jfs.config.Settings;
import jfs.negotiation.Hosts;
import jfs.negotiation.Negotiator;
import jfs.negotiation.Policy;
import jfs.negotiation.Rules;
import jfs.spi.Transport;

/** Has this process use another transport between hosts than that which it would find. */
public final class WithTransport {

    private WithTransport() {
    }

    /** @param noRdma what lies under it if it is nothing fast, or null */
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
