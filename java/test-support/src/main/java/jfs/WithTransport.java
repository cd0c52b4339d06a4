package jfs;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import jfs.config.Settings;
import jfs.config.Transports;
import jfs.negotiation.Negotiator;
import jfs.negotiation.handshake.remote.Hosts;
import jfs.negotiation.policy.Policy;
import jfs.negotiation.policy.Rules;
import jfs.spi.Transport;
import jfs.spi.TransportProvider;
import jfs.transport.BuiltIn;

/** Makes this process use a given transport between hosts, instead of the one that it would find. */
public final class WithTransport {

    private WithTransport() {
    }

    /** @param noRdma the network below the transport if that network is not a fast one, else null */
    public static void install(Transport transport, String noRdma) {
        Settings settings = Installation.settings(Map.of());
        Rules rules = settings.rules() == null ? Rules.NONE : Rules.read(settings.rules(), BuiltIn.TRANSPORTS);
        Hosts hosts = Hosts.read(settings, rules);
        SocketEnvironment found = SocketEnvironment.prepare(settings, rules, hosts);
        List<TransportProvider> given = List.of(Transports.named(BuiltIn.TRANSPORTS, "sci"), new GivenTransport(transport, noRdma));
        Transports transports = new Transports(given, given, null, settings.pollMicros(), settings.allowedUsers());
        Policy policy = Policy.of(transports, rules, found.unavailable());
        try {
            Field environment = Installation.class.getDeclaredField("environment");
            environment.setAccessible(true);
            environment.set(Installation.with(settings), new SocketEnvironment(settings, found.unavailable(), found.reachesJdk(),
                    new Negotiator(settings, policy, hosts)));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
