package jfs.conformance.faults;

import java.net.URISyntaxException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import jfs.conformance.faults.Cell.End;
import jfs.conformance.harness.EndKind;
import jfs.conformance.harness.processes.Child;
import jfs.steps.Step;
import jfs.testing.Natives;

/** The fast transport between two processes. */
public enum Way {
    /** Shared memory. */
    SCI,
    /** Messages, as between hosts. Both hosts are this one. */
    MX;

    private static final Set<Step> BETWEEN_HOSTS = EnumSet.range(Step.CHALLENGE_SENT, Step.CHANNEL_FORGOTTEN);
    private static final Set<Step> IN_SHARED_MEMORY = EnumSet.of(Step.SEGMENT_CREATED, Step.SEGMENT_MAPPED,
            Step.SEGMENT_AVAILABLE, Step.SEGMENT_CONNECTED, Step.NONCE_PROVED, Step.OFFER_COMPLETED,
            Step.RECORD_WRITTEN, Step.RECORD_PUBLISHED, Step.HEAD_PUBLISHED, Step.SPILL_WRITTEN, Step.SPILL_PUBLISHED,
            Step.SPILL_ENDED);

    private static final Set<Step> CLIENTS = EnumSet.of(Step.CONNECTED, Step.OFFER_DUE, Step.NAME_CONNECTED,
            Step.SEGMENT_CREATED, Step.SEGMENT_AVAILABLE, Step.OFFER_SENT, Step.ANSWER_RECEIVED, Step.OFFER_COMPLETED,
            Step.PEER_PROVED);
    private static final Set<Step> SERVERS = EnumSet.of(Step.ACCEPTED, Step.VISITOR_ADMITTED, Step.OFFER_RECEIVED,
            Step.TUPLE_FOUND, Step.SEGMENT_CONNECTED, Step.NONCE_PROVED, Step.ANSWER_SENT, Step.CHALLENGE_SENT);

    /** Steps of {@code java.net}'s view of a connection. */
    private static final Set<Step> OF_SOCKETS = EnumSet.of(Step.CONNECTED, Step.ACCEPTED);
    /** Beside these, the steps of a thread that sleeps for one connection only. */
    private static final Set<Step> NOT_OF_SELECTORS = EnumSet.of(Step.CONNECTED, Step.ACCEPTED, Step.READER_ASLEEP, Step.READER_AWAKE,
            Step.WRITER_ASLEEP);

    /** The steps of a connection over this transport. The caller owns the set. */
    public Set<Step> steps() {
        return EnumSet.complementOf(EnumSet.copyOf(this == SCI ? BETWEEN_HOSTS : IN_SHARED_MEMORY));
    }

    /** Whether an end of this kind reaches this step in a conversation. */
    boolean comesBy(Step step, End end, EndKind kind, End endsFirst) {
        return steps().contains(step) && !notReachedBy(kind).contains(step) && !(end == End.CLIENT ? SERVERS : CLIENTS).contains(step)
                && (end == endsFirst || !Cell.HALF_CLOSE.contains(step));
    }

    private static Set<Step> notReachedBy(EndKind kind) {
        return switch (kind) {
            case SOCKET -> Set.of();
            case CHANNEL -> OF_SOCKETS;
            case SELECTOR -> NOT_OF_SELECTORS;
        };
    }

    /** Skips the test if this transport is not available. */
    void assume() {
        if (this == MX) {
            Natives.assumeMx();
        }
    }

    Child.Start start() throws URISyntaxException {
        return this == SCI ? Child.jfs() : Child.jfsOverMx();
    }

    /** Whether a process keeps something for each live process that it has talked to. */
    boolean isKeptBetweenProcesses() {
        return this == MX;
    }

    /** Generous: the measured times are far below. But over messages a live peer would be waited for as long as 10 s. */
    long nanosAfterDeathMax() {
        return TimeUnit.SECONDS.toNanos(this == SCI ? 10 : 5);
    }
}
