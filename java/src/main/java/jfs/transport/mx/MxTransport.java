package jfs.transport.mx;

import java.io.IOException;
import java.nio.ByteBuffer;
import jfs.mx.MxChannel;
import jfs.mx.MxEndpoint;
import jfs.nativelib.Mx;
import jfs.nativelib.NativeLibrary;
import jfs.spi.FastPath;
import jfs.spi.Obstacle;
import jfs.spi.Transport;
import jfs.steps.Step;

/**
 * Sets up {@link MxPath}s. Each end tells the other one where its channel is, in the offer's description and in the answer. Each
 * end greets the other's channel with the nonce of the offer.
 *
 * <pre>
 *   0        8             12     16       20            24       28
 *   | nic    | endpoint id | key  | number | message max | window |
 * </pre>
 *
 * mx_connect takes nic, endpoint id and key. The number is the channel's, which stands in the match information of messages to
 * it. Message max is the longest message that this end takes, and window how many unread bytes it takes. All numbers are
 * big-endian.
 */
public final class MxTransport implements Transport {

    /** The name in settings, rules, counters and offers. */
    public static final String NAME = "mx";

    private final Endpoints endpoints;
    private final int pollMicros;

    /** Gives the endpoint that new paths are to use. */
    public interface Endpoints {
        MxEndpoint get() throws IOException;
    }

    /**
     * The transport over this process's endpoint, which is opened for the first connection that may use it. Its type is that of the
     * interface: otherwise the JVM would load more classes with the provider.
     *
     * @param eagerMax the longest message, bytes
     * @param pollMicros longest poll, microseconds
     */
    public static Transport ofProcess(int eagerMax, int pollMicros) {
        return new MxTransport(() -> MxEndpoint.ofProcess(eagerMax), pollMicros);
    }

    /** Loads the MX library, which opens the network. @return why MX is not used in this process, or null */
    public static Obstacle obstacle() {
        String unavailable = NativeLibrary.mxUnavailable();
        if (unavailable != null) {
            return new Obstacle("NO_MX", unavailable, false);
        }
        return (Mx.transports() & Mx.RDMA) == 0 ? new Obstacle("NO_RDMA", "UCX finds only tcp here", true) : null;
    }

    /** @param pollMicros longest poll, microseconds */
    public MxTransport(Endpoints endpoints, int pollMicros) {
        this.endpoints = endpoints;
        this.pollMicros = pollMicros;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Offer offer(int version, long nonce, String peer) throws IOException {
        MxChannel channel = endpoints.get().newChannel(nonce);
        return new Offer() {
            @Override
            public void describe(ByteBuffer out) {
                put(out, channel.description());
            }

            @Override
            public FastPath complete(ByteBuffer answer) throws IOException {
                return connected(channel, get(answer));
            }

            @Override
            public void abandon() {
                channel.abandon();
            }
        };
    }

    @Override
    public Joined join(int version, ByteBuffer description, long nonce) throws IOException {
        MxChannel.Description offered = get(description);
        MxChannel channel = endpoints.get().newChannel(nonce);
        MxPath path = connected(channel, offered);
        return new Joined() {
            @Override
            public FastPath path() {
                return path;
            }

            @Override
            public void answer(ByteBuffer out) {
                put(out, channel.description());
            }
        };
    }

    /** Makes the path first: what comes in answer to the greeting must find it. */
    private MxPath connected(MxChannel channel, MxChannel.Description other) throws IOException {
        MxPath path = null;
        boolean done = false;
        try {
            path = new MxPath(channel, pollMicros);
            channel.connect(other);
            Step.GREETING_SENT.reached();
            done = true;
            return path;
        } finally {
            if (!done && path != null) {
                path.retireReceiver();
                path.retireSender();
            } else if (!done) {
                channel.abandon();
            }
        }
    }

    private static void put(ByteBuffer out, MxChannel.Description it) {
        out.putLong(it.address().nic()).putInt(it.address().id()).putInt(it.address().key());
        out.putInt(it.number()).putInt(it.messageMax()).putInt(it.window());
    }

    private static MxChannel.Description get(ByteBuffer in) throws IOException {
        MxEndpoint.Address address = new MxEndpoint.Address(in.getLong(), in.getInt(), in.getInt());
        MxChannel.Description it = new MxChannel.Description(address, in.getInt(), in.getInt(), in.getInt());
        if (it.messageMax() < MxChannel.MESSAGE_MIN || it.window() < it.messageMax()) {
            throw new IOException("invalid sizes in the description of an MX channel: messages of " + it.messageMax()
                    + " bytes, a window of " + it.window());
        }
        return it;
    }
}
