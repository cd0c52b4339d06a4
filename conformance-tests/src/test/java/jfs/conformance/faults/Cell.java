package jfs.conformance.faults;

import java.util.EnumSet;
import java.util.Set;
import jfs.steps.Step;

/**
 * One thing to try.
 *
 * @param step where it happens
 * @param victim to whom
 * @param time at the how manieth time that it is reached in the conversation
 * @param nanos how long the victim's thread stays there before
 * @param stopMillis how long the victim is stopped, if that is the fault
 */
record Cell(Step step, Fault fault, End victim, int time, long nanos, long stopMillis) {

    enum End {
        CLIENT, SERVER;

        End other() {
            return this == CLIENT ? SERVER : CLIENT;
        }
    }

    /** Reached by whoever ends its stream while it reads on. */
    static final Set<Step> HALF_CLOSE = EnumSet.of(Step.OUTPUT_SHUT, Step.TCP_OUTPUT_SHUT);

    /** What fails there leaves a connection on TCP. */
    private static final Set<Step> NEGOTIATION = EnumSet.range(Step.OFFER_DUE, Step.OFFER_COMPLETED);
    private static final Set<Step> NEGOTIATION_BETWEEN_HOSTS = EnumSet.range(Step.CHALLENGE_SENT, Step.GREETING_SENT);
    /** Reached by whoever looks for messages, of all connections, under the lock for that. */
    static final Set<Step> OF_MESSAGES = EnumSet.of(Step.MESSAGE_RECEIVED, Step.CHANNEL_FORGOTTEN);

    /** Who ends its stream first. Where the victim dies on closing, the survivor reads on. */
    End endsFirst() {
        return endsFirst(step, victim);
    }

    static End endsFirst(Step step, End victim) {
        return HALF_CLOSE.contains(step) ? victim : victim.other();
    }

    /** Whether both ends come through it whole. */
    boolean isSurvivedByBoth() {
        return fault == Fault.STOP || fault == Fault.DELAY
                || fault == Fault.OUT_OF_MEMORY && isOfTheNegotiation(step);
    }

    /** Whether it comes for certain, but maybe after the program has done all it does. */
    boolean mayComeAfterwards() {
        return step == Step.CHANNEL_FORGOTTEN;
    }

    static boolean isOfTheNegotiation(Step step) {
        return NEGOTIATION.contains(step) || NEGOTIATION_BETWEEN_HOSTS.contains(step);
    }

    /** Whether the victim's program may see nothing of it, or see the connection end. */
    boolean mayBeTheChannels() {
        return fault == Fault.OUT_OF_MEMORY && OF_MESSAGES.contains(step);
    }

    /**
     * Whether the victim's program may see nothing of it, for JFS's own thread came by the step in its place: whoever looks
     * whether the path is idle holds the sender's lock, and does on its way out what the program has left to it.
     */
    boolean mayBeJfsThreads() {
        return fault == Fault.OUT_OF_MEMORY && step == Step.TCP_OUTPUT_SHUT;
    }

    @Override
    public String toString() {
        return victim + " at " + step + " (" + time + ", " + nanos + " ns): " + fault
                + (fault == Fault.STOP ? " for " + stopMillis + " ms" : "");
    }
}
