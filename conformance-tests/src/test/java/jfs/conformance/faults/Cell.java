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
 */
record Cell(Step step, Fault fault, End victim, int time, long nanos) {

    enum End {
        CLIENT, SERVER;

        End other() {
            return this == CLIENT ? SERVER : CLIENT;
        }
    }

    private static final Set<Step> CLIENTS = EnumSet.of(Step.CONNECTED, Step.OFFER_DUE, Step.NAME_CONNECTED,
            Step.SEGMENT_CREATED, Step.SEGMENT_AVAILABLE, Step.OFFER_SENT, Step.ANSWER_RECEIVED, Step.OFFER_COMPLETED);
    private static final Set<Step> SERVERS = EnumSet.of(Step.ACCEPTED, Step.VISITOR_ADMITTED, Step.OFFER_RECEIVED,
            Step.TUPLE_FOUND, Step.SEGMENT_CONNECTED, Step.NONCE_PROVED, Step.ANSWER_SENT);

    /** Reached by whoever ends its stream while it reads on. */
    private static final Set<Step> HALF_CLOSE = EnumSet.of(Step.OUTPUT_SHUT, Step.TCP_OUTPUT_SHUT);

    /** What fails there leaves a connection on TCP. */
    private static final Set<Step> NEGOTIATION = EnumSet.range(Step.OFFER_DUE, Step.OFFER_COMPLETED);

    /** Whether that end comes by that step in a conversation. */
    static boolean exists(Step step, End end, End endsFirst) {
        return !(end == End.CLIENT ? SERVERS : CLIENTS).contains(step)
                && (end == endsFirst || !HALF_CLOSE.contains(step));
    }

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
                || fault == Fault.OUT_OF_MEMORY && NEGOTIATION.contains(step);
    }

    @Override
    public String toString() {
        return victim + " at " + step + " (" + time + ", " + nanos + " ns): " + fault;
    }
}
