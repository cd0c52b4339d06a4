package jfs.transport.mx;

import jfs.mx.MxChannel;
import jfs.wait.Deadline;

/**
 * Whether the path has failed here before the peer has switched. The peer may switch, or have switched, all the same. Then its bytes don't
 * come, and the peer waits for the answer. So if TCP brings nothing for a second the connection has failed, and closing resets TCP ({@link
 * jfs.spi.FastPath#isBroken}). Used under the read lock.
 */
final class CutOff {

    /** How long TCP may be silent when the path has failed. */
    private static final int SILENCE_MILLIS = 1_000;

    private final MxChannel channel;
    private boolean holds;
    /** When TCP will have been silent for too long; NONE while that time does not run. */
    private long silentAt = Deadline.NONE;

    CutOff(MxChannel channel) {
        this.channel = channel;
    }

    /** @param switched whether the peer has switched; asked before this call, because a switch that came before the failure counts */
    void look(boolean switched) {
        holds = !switched && channel.isCutOff();
        if (!holds) {
            silentAt = Deadline.NONE;
        } else if (silentAt == Deadline.NONE) {
            silentAt = Deadline.in(SILENCE_MILLIS);
        }
    }

    /** What the last {@link #look} has found. */
    boolean holds() {
        return holds;
    }

    /** When TCP will have been silent for too long; NONE if the path is not cut off. */
    long silentAt() {
        return silentAt;
    }

    /** TCP has brought something. The silence begins again at the next look. */
    void tcpSpeaks() {
        silentAt = Deadline.NONE;
    }
}
