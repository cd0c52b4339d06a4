package jfs.transport.mx;

import java.io.IOException;
import java.util.List;
import jfs.mx.MxEndpoint;
import jfs.nativelib.Mx;
import jfs.nativelib.NativeLibrary;
import jfs.spi.Obstacle;
import jfs.spi.Reach;
import jfs.spi.Setting;
import jfs.spi.Transport;
import jfs.spi.TransportProvider;
import jfs.spi.TransportSettings;

/** The transport {@code mx}: messages between hosts, over MX. */
public final class MxProvider implements TransportProvider {

    /** The name in settings, rules, counters and offers. */
    static final String NAME = "mx";

    /** Which MX library is used. */
    public static final Setting<String> LIBRARY = Setting.library("jfs.mx.library");

    /** The longest message, bytes. Longer writes become several messages. */
    private static final Setting<Integer> EAGER_MAX = Setting.integer("jfs.mx.eager.max", 32 << 10, 1_024, 1 << 20);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Reach reach() {
        return Reach.OTHER_HOSTS;
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(EAGER_MAX, LIBRARY);
    }

    @Override
    public String inWords(boolean forced) {
        return forced ? "MX, also where there is no RDMA" : "MX, where there is RDMA";
    }

    /** Loads the MX library, which opens the network. */
    @Override
    public Obstacle obstacle(TransportSettings settings) {
        String unavailable = NativeLibrary.mxUnavailable();
        if (unavailable != null) {
            return new Obstacle("NO_MX", unavailable, false);
        }
        return (Mx.transports() & Mx.RDMA) == 0 ? new Obstacle("NO_RDMA", "UCX finds only tcp here", true) : null;
    }

    /** The endpoint is opened for the first connection that may use it. */
    @Override
    public Transport open(TransportSettings settings) {
        int eagerMax = settings.value(EAGER_MAX);
        return new MxTransport(new MxTransport.Endpoints() {
            @Override
            public MxEndpoint get() throws IOException {
                return MxEndpoint.ofProcess(eagerMax);
            }
        }, settings.pollMicros());
    }
}
