package jfs.nio;

import java.util.List;
import jfs.stat.Stats;

/**
 * The system properties that keep Netty from its native transports, so that its connections are channels of the default provider. Netty
 * reads a property when the program first asks for a native transport. So they stay set, and a JVM that the program starts with its own
 * properties has them too.
 */
final class NettyProperties {

    /** Each with its value: Netty's own, that of gRPC's copy of Netty, and that of Reactor Netty. */
    private static final List<List<String>> PROPERTIES = List.of(
            List.of("io.netty.transport.noNative", "true"),
            List.of("io.grpc.netty.shaded.io.netty.transport.noNative", "true"),
            List.of("reactor.netty.native", "false"));

    private NettyProperties() {
    }

    /** Sets those that the user has not set, and logs what has become of each. */
    static void set() {
        StringBuilder text = new StringBuilder();
        for (List<String> property : PROPERTIES) {
            String name = property.get(0);
            String users = System.getProperty(name);
            if (users == null) {
                System.setProperty(name, property.get(1));
            }
            text.append(text.length() == 0 ? "" : ", ").append(name).append('=').append(users == null ? property.get(1) : users)
                    .append(users == null ? "" : " (as the user has set it)");
        }
        Stats.nettyOnNio(text.toString());
    }
}
