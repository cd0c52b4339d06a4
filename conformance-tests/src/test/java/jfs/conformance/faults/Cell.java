package jfs.conformance.faults;

import java.util.EnumSet;
import java.util.Set;
import jfs.conformance.harness.faults.Fault;
import jfs.conformance.harness.faults.Hook;
import jfs.steps.Step;

/**
 * One case to test: a fault of one process at one step.
 *
 * @param ends what the two ends are
 * @param step the step at which the fault happens
 * @param victim the end to which it happens
 * @param time the fault happens when the conversation reaches the step for this time, counted from 1
 * @param nanos how long the victim's thread stays at the step before the fault
 * @param stopMillis how long the victim is stopped, if that is the fault
 */
record Cell(Ends ends, Step step, Fault fault, End victim, int time, long nanos, long stopMillis) {

    enum End {
        CLIENT, SERVER;

        End other() {
            return this == CLIENT ? SERVER : CLIENT;
        }
    }

    /** Steps that an end reaches when it ends its stream and goes on reading. */
    static final Set<Step> HALF_CLOSE = EnumSet.of(Step.OUTPUT_SHUT, Step.TCP_OUTPUT_SHUT);

    /** A failure at one of these steps leaves the connection on TCP. */
    private static final Set<Step> NEGOTIATION = EnumSet.range(Step.OFFER_DUE, Step.OFFER_COMPLETED);
    private static final Set<Step> NEGOTIATION_BETWEEN_HOSTS = EnumSet.range(Step.CHALLENGE_SENT, Step.GREETING_SENT);

    /** The end that ends its stream first. If the victim dies on closing, the survivor goes on reading. */
    End endsFirst() {
        return endsFirst(step, victim);
    }

    static End endsFirst(Step step, End victim) {
        return HALF_CLOSE.contains(step) ? victim : victim.other();
    }

    /** Whether the conversation succeeds at both ends. */
    boolean isSurvivedByBoth() {
        return fault == Fault.STOP || fault == Fault.DELAY
                || fault == Fault.OUT_OF_MEMORY && isOfTheNegotiation(step);
    }

    /** Whether the step is certain to come, but maybe after the program has done all its work. */
    boolean mayComeAfterwards() {
        return step == Step.CHANNEL_FORGOTTEN;
    }

    static boolean isOfTheNegotiation(Step step) {
        return NEGOTIATION.contains(step) || NEGOTIATION_BETWEEN_HOSTS.contains(step);
    }

    /** Whether the victim's program either notices nothing or sees the connection end. */
    boolean mayBeTheChannels() {
        return fault == Fault.OUT_OF_MEMORY && Hook.OF_MESSAGES.contains(step);
    }

    /**
     * Whether the victim's program may notice nothing, because a thread of JFS's came to the step in its place. A thread
     * that checks whether the path is idle holds the sender's lock. When it leaves it does what the program has left to it.
     */
    boolean mayBeJfsThreads() {
        return fault == Fault.OUT_OF_MEMORY && step == Step.TCP_OUTPUT_SHUT;
    }

    @Override
    public String toString() {
        return (Ends.SOCKETS.contains(ends) ? "" : ends + ", ") + victim + " at " + step + " (" + time + ", " + nanos + " ns): " + fault
                + (fault == Fault.STOP ? " for " + stopMillis + " ms" : "");
    }
}
