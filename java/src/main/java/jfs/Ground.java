package jfs;

import java.util.function.Supplier;
import jfs.config.Permissions;
import jfs.config.Settings;
import jfs.mx.MxEndpoint;
import jfs.nativelib.Mx;
import jfs.nativelib.NativeLibrary;
import jfs.nativelib.Sisci;
import jfs.negotiation.Negotiator;
import jfs.negotiation.handshake.remote.Hosts;
import jfs.negotiation.policy.Policy;
import jfs.negotiation.policy.Rules;
import jfs.procfs.MemoryLimit;
import jfs.spi.Transport;
import jfs.stat.Stats;
import jfs.transport.mx.MxTransport;
import jfs.transport.sci.SciTransport;
import jfs.transport.tcp.JdkSocket;
import jfs.transport.tcp.NioSocket;
import jfs.transport.tcp.TcpEnd;
import jfs.transport.tcp.TcpSocket;

/**
 * What all sockets of this process need: the loaded libraries, the access to the JDK's internals, and the one negotiation.
 *
 * @param unavailable why no connection can be fast, or null
 * @param reachesJdk whether the TCP sockets below JFS's sockets are the JDK's own
 */
record Ground(String unavailable, boolean reachesJdk, Negotiator negotiator) {

    /** At least as many bytes as loopback TCP takes while the peer reads nothing: 3,932,160 (SWITCH-3). */
    private static final int OVERFLOW_BYTES = 4 << 20;

    static Ground prepare(Settings settings, Rules rules, Hosts hosts) {
        NativeLibrary.lookIn(settings.nativeDir(), settings.sciLibrary(), settings.mxLibrary());
        // JdkSocket.unavailable() is called in any case, and before the native library is loaded. An agent, if there is one, then also
        // allows native access, before the JVM would warn of it.
        boolean wantsJdk = settings.tcp() != Settings.Tcp.NIO || Permissions.denied() != null; // a security manager would refuse channels
        boolean reachesJdk = JdkSocket.unavailable() == null && wantsJdk;
        String noNatives = NativeLibrary.unavailable();
        String unavailable = noNatives != null || reachesJdk ? noNatives : NioSocket.descriptorUnavailable();
        if (unavailable != null) {
            Stats.unavailable(unavailable);
        }
        boolean wantsMx = unavailable == null && settings.transports().contains(MxTransport.NAME) && rules.chooseMx();
        String noMx = wantsMx ? NativeLibrary.mxUnavailable() : null; // this opens the network
        boolean withMx = wantsMx && noMx == null;
        String noRdma = withMx && (Mx.transports() & Mx.RDMA) == 0 ? "UCX finds only tcp here" : null;
        Policy policy = new Policy(rules, settings.transports(), unavailable, noMx, noRdma);
        boolean withSci = unavailable == null && settings.transports().contains(SciTransport.NAME);
        return new Ground(unavailable, reachesJdk, new Negotiator(settings, policy, withSci ? sci(settings) : null,
                hosts, withMx ? mx(settings) : null));
    }

    /** The endpoint is opened for the first connection that may use it. */
    private static Transport mx(Settings settings) {
        return new MxTransport(() -> MxEndpoint.ofProcess(settings.mxEagerMax()), settings.pollMicros());
    }

    /** The transport is made for the first name or offer. The connections of most processes are too short for either. */
    private static Supplier<Transport> sci(Settings settings) {
        return new Supplier<>() {
            @Override
            public Transport get() {
                int[] users = new int[settings.allowedUsers().size()];
                int i = 0;
                for (int user : settings.allowedUsers()) {
                    users[i++] = user;
                }
                Sisci.allowUsers(users);
                return new SciTransport(new SciTransport.Sizes(settings.bufferSize(), OVERFLOW_BYTES, settings.longMin(),
                        settings.pollMicros()), settings.memoryMax().of(MemoryLimit.bytes()));
            }
        };
    }

    /** Makes the TCP socket for a JFS socket. It has no descriptor yet. It is the JDK's own wherever that can be reached. */
    TcpEnd newTcpSocket(TcpSocket.Use use) {
        return reachesJdk ? JdkSocket.of(use) : NioSocket.of(use);
    }
}
