package jfs;

import java.util.function.Supplier;
import jfs.config.Permissions;
import jfs.config.Settings;
import jfs.mx.MxEndpoint;
import jfs.nativelib.Mx;
import jfs.nativelib.NativeLibrary;
import jfs.nativelib.Sisci;
import jfs.negotiation.Hosts;
import jfs.negotiation.Negotiator;
import jfs.negotiation.Policy;
import jfs.negotiation.Rules;
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
 * What sockets of this process stand on: libraries loaded, ways into the JDK found, the one negotiation.
 *
 * @param unavailable why no connection can be fast, or null
 * @param reachesJdk whether the JDK's own sockets serve under ours
 */
record Ground(String unavailable, boolean reachesJdk, Negotiator negotiator) {

    /** At least what loopback TCP takes with no reader: 3,932,160 bytes (SWITCH-3). */
    private static final int OVERFLOW_BYTES = 4 << 20;

    static Ground prepare(Settings settings, Rules rules, Hosts hosts) {
        NativeLibrary.lookIn(settings.nativeDir(), settings.sciLibrary(), settings.mxLibrary());
        // Asked in any case and first: an agent, if there is one, allows native access with it, before the JVM would warn.
        boolean wantsJdk = settings.tcp() != Settings.Tcp.NIO || Permissions.denied() != null; // which would refuse channels
        boolean reachesJdk = JdkSocket.unavailable() == null && wantsJdk;
        String noNatives = NativeLibrary.unavailable();
        String unavailable = noNatives != null || reachesJdk ? noNatives : NioSocket.descriptorUnavailable();
        if (unavailable != null) {
            Stats.unavailable(unavailable);
        }
        boolean wantsMx = unavailable == null && settings.transports().contains(MxTransport.NAME) && rules.chooseMx();
        String noMx = wantsMx ? NativeLibrary.mxUnavailable() : null; // which opens the network
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

    /** Made for the first name or offer: most processes' connections are too short for one. */
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

    /** The kernel's socket under one of ours, not created yet: the JDK's own wherever it can be reached. */
    TcpEnd newTcpSocket(TcpSocket.Use use) {
        return reachesJdk ? JdkSocket.of(use) : NioSocket.of(use);
    }
}
