package jfs.conformance.processes;

import java.io.IOException;
import jfs.JFSSocketImplFactory;
import jfs.conformance.Await;
import jfs.mx.MxEndpoint;
import jfs.stat.Stats;
import jfs.wait.Sleepers;

/** What a {@link Peer} can tell of JFS; a plain one never loads it, for it has none. */
final class Jfs {

    private Jfs() {
    }

    static void install() {
        JFSSocketImplFactory.install();
    }

    static String unavailable() {
        return JFSSocketImplFactory.unavailable();
    }

    /** Until the negotiation has done what it can and waits for others. */
    static void awaitNegotiation() throws Exception {
        int[] looks = {0};
        Await.until("the negotiation waits", () -> {
            looks[0] = negotiation().equals("epollWait") ? looks[0] + 1 : 0;
            return looks[0] == 5;
        });
    }

    /** The method that its thread is in. */
    static String negotiation() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(entry -> entry.getKey().getName().equals("jfs-negotiation") && entry.getValue().length > 0)
                .map(entry -> entry.getValue()[0].getMethodName()).findAny().orElse("none");
    }

    /** Connections that have got a fast path. */
    static long attached() {
        return Stats.ATTACHED.sum();
    }

    /** How often a thread has gone to sleep on a path. */
    static long sleeps() {
        return Sleepers.SLEEPS.sum();
    }

    /** Buffers of those that are under way or unread. Some for what may come may lack at a time. */
    static int messages() throws IOException {
        return Math.max(0, MxEndpoint.ofProcess(0).buffersInUse() - MxEndpoint.RECEIVES);
    }

    /** Looks for MX messages, as its endpoint does when there is something to come, or a second has passed. */
    static void progress() throws IOException {
        MxEndpoint.ofProcess(0).progressAll();
    }

    static int channels() throws IOException {
        return MxEndpoint.ofProcess(0).channels();
    }

    /** Directions of this end that have switched. */
    static long switched() {
        return Stats.SWITCHED_OUT.sum() + Stats.SWITCHED_IN.sum();
    }
}
