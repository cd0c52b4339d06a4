package jfs.mx;

import java.net.SocketException;
import jfs.spi.Claim;

/**
 * The bytes of a channel where they lie: the program puts them into the memory of a message that is sent later, and takes them from that of
 * a message that has come. The memory is the endpoint's and is never freed before the last {@link Claim} of it is garbage. After the end of
 * a claim it may hold another channel's bytes, so the caller then {@linkplain Claim#clear clears} what it has shown.
 *
 * <p>Thread-safe, with one thread at a time that receives and one that sends. Nothing blocks, but {@link #commit} while the JVM ends, as
 * {@link MxChannel#send(byte[], int, int)}.
 */
public final class InPlace {

    private final MxChannel channel;
    private final Inbound inbound;
    private final Outbound outbound;

    InPlace(MxChannel channel, Inbound inbound, Outbound outbound) {
        this.channel = channel;
        this.inbound = inbound;
        this.outbound = outbound;
    }

    /** Shows the bytes of the first message that are not taken. @return how many, 0 if there are none */
    public int peek(Claim into) {
        return inbound.peek(into);
    }

    /**
     * Takes the first bytes of those that {@link #peek} has shown.
     *
     * @throws IllegalStateException if bytes were received otherwise since (CLAIM-2)
     */
    public void release(int bytes) {
        inbound.release(bytes);
        channel.received(bytes);
    }

    /**
     * Shows memory for the next bytes of the stream, at most those of a message. The first bytes of a stream do not go this way.
     *
     * @return false if there is none for so many bytes now
     */
    public boolean claim(Claim into, int least, int most) {
        return outbound.claim(into, least, most);
    }

    /**
     * Sends the first bytes of that memory.
     *
     * @throws IllegalStateException if bytes were sent otherwise since (CLAIM-2)
     */
    public void commit(int bytes) throws SocketException {
        outbound.commit(bytes);
        channel.sent(bytes);
    }
}
