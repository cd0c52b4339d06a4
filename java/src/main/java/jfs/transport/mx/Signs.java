package jfs.transport.mx;

import java.util.concurrent.TimeUnit;
import jfs.mx.MxChannel;
import jfs.wait.Deadline;

/**
 * When a reader that sleeps looks whether its peer lives: while the peer owes it an answer. A message that the library has
 * taken leaves no trace if the peer's host is gone; only the next one fails. TCP likewise repeats what is not acknowledged
 * until it gives up, by default after a quarter of an hour, and a reader to whom nothing is owed waits for ever. No message
 * acknowledges another here: so any that comes later counts as an answer, even one that has crossed what was written, and who
 * never gets one, as a server whose client is idle, looks no more after half an hour. Under the read lock.
 */
final class Signs {

    /** Then each time after twice as long as before: so the peer's death is known here at most twice as late as to the library. */
    private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int LOOKS = 11;
    /** So soon it is seen that somebody has written meanwhile, which wakes no reader. */
    private static final long OWED_NOTHING_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final MxChannel channel;
    /** When the peer was last heard before it owed something. */
    private long owedSince;
    private int looks;
    private long nextAt;

    Signs(MxChannel channel) {
        this.channel = channel;
    }

    /** Looks, if it is time. @return when to call this again, or the deadline, if that is before */
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
