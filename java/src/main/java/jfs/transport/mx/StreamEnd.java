package jfs.transport.mx;

import java.io.IOException;
import java.net.SocketException;
import java.util.concurrent.TimeUnit;
import jfs.mx.MxChannel;
import jfs.wait.Deadline;
import jfs.wait.Pause;

/**
 * Finds out what else comes by the path after TCP has ended. Messages and TCP are two ways between hosts, and what is sent first may come
 * last (END-5). Used under the read lock, except {@link #wake}.
 */
final class StreamEnd {

    /**
     * How long after TCP's end a message may still come that was sent before it, if the peer lives as far as MX knows. Such a
     * peer may be collecting garbage, and a fabric may be repeating what it has lost. If the peer is dead MX says so at once.
     */
    private static final long OVERTAKEN_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** The same after a reset, which over TCP loses what is under way. */
    private static final long OVERTAKEN_BY_RESET_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    /** A question to a dead peer fails as soon as its death is known. Each pause between questions is twice as long as the one before. */
    private static final long TO_SECOND_QUESTION_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** So a peer that is stopped for {@link #OVERTAKEN_NANOS} gets fewer questions than it may owe answers to. */
    private static final long BETWEEN_QUESTIONS_MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(320);

    private final MxChannel channel;
    /** When TCP's end was seen, or the peer was heard after that; 0 before. */
    private long tcpEndedAt;
    /**
     * When the peer is next asked whether its stream has ended, however many reads have waited for the answer, and the pause
     * after that.
     */
    private long nextQuestionAt;
    private long toNextQuestion;
    /** Set by {@link #wake}, for a reader that waits for the end: this end itself may have ended TCP. */
    private volatile boolean woken;

    StreamEnd(MxChannel channel) {
        this.channel = channel;
    }

    void wake() {
        woken = true;
    }

    /**
     * @param deadline as {@link jfs.spi.FastPath#awaitEnd} has it
     * @param reset whether TCP's end is a reset
     * @return as {@link jfs.spi.FastPath#awaitEnd}
     */
    boolean await(long deadline, boolean reset) throws IOException {
        if (!channel.mayBeSentTo()) {
            return true; // so the peer has sent nothing by the path
        }
        long now = System.nanoTime();
        if (tcpEndedAt == 0) {
            tcpEndedAt = now | 1;
            nextQuestionAt = now;
            toNextQuestion = TO_SECOND_QUESTION_NANOS;
        }
        for (;;) {
            if (now - nextQuestionAt >= 0) { // no message tells of the peer's shutdownOutput on TCP, nor of its death
                nextQuestionAt = now + toNextQuestion;
                toNextQuestion = Math.min(2 * toNextQuestion, BETWEEN_QUESTIONS_MAX_NANOS);
                channel.askWhetherEnded();
            }
            channel.endpoint().progressAll(); // what had come by now counts, even if this thread had no processor for long
            if (channel.available() > 0 || channel.ended() || channel.endsWithTcp() || channel.peerExits()) {
                tcpEndedAt = now | 1; // the peer speaks: more may come
                toNextQuestion = TO_SECOND_QUESTION_NANOS;
                return true;
            }
            if (channel.failed() || now - tcpEndedAt >= (reset ? OVERTAKEN_BY_RESET_NANOS : OVERTAKEN_NANOS)) {
                break;
            }
            // the look came after the deadline, because now was read before it
            if (woken || deadline != Deadline.NONE && deadline - now <= 0) {
                woken = false;
                return false;
            }
            Pause.parkInCall(BETWEEN_LOOKS_NANOS);
            now = System.nanoTime();
        }
        throw channel.failed() ? channel.failure() : new SocketException("Connection reset");
    }
}
