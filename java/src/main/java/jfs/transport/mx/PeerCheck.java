package jfs.transport.mx;

import java.util.concurrent.TimeUnit;
import jfs.mx.MxChannel;
import jfs.wait.Deadline;

/**
 * Decides when a sleeping reader checks whether its peer lives. It checks only while the peer owes it an answer. If the peer's
 * host is gone, a message that the library has taken leaves no trace; only the next one fails. TCP likewise repeats what is not
 * acknowledged until it gives up, by default after a quarter of an hour, and a reader to whom nothing is owed waits for ever.
 * Here no message acknowledges another one. So any message that comes later counts as an answer, even one that has crossed what
 * was written. A reader that never gets an answer, as in a server whose client is idle, checks no more after half an hour. Used
 * under the read lock.
 */
final class PeerCheck {

    /**
     * Time to the first check. Each later interval is twice as long, so the peer's death is known here at most twice as late as
     * to the library.
     */
    private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int LOOKS = 11;
    /** How often a reader that is owed nothing checks whether a thread has written meanwhile, which does not wake a reader. */
    private static final long OWED_NOTHING_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final MxChannel channel;
    /** When the peer was last heard before it owed something. */
    private long owedSince;
    private int looks;
    private long nextAt;

    PeerCheck(MxChannel channel) {
        this.channel = channel;
    }

    /** Checks the peer if it is time. @return when to call this again, or the deadline, if that is earlier */
    long look(long deadline) {
        boolean owed = channel.isUnanswered();
        long heard = channel.lastHeard();
        long now = System.nanoTime();
        if (owed && owedSince != heard) {
            owedSince = heard;
            looks = 0;
            nextAt = now + FIRST_NANOS;
        } else if (owed && looks < LOOKS && now - nextAt >= 0) {
            channel.lookForPeer();
            looks++;
            nextAt = now + (FIRST_NANOS << looks);
        }
        return Deadline.earlier(deadline, owed && looks < LOOKS ? nextAt : now + OWED_NOTHING_NANOS);
    }
}
