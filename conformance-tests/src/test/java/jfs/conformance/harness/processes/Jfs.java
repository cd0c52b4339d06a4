package jfs.conformance.harness.processes;

import java.io.IOException;
import jfs.JFSSocketImplFactory;
import jfs.mx.MxEndpoint;
import jfs.stat.Stats;
import jfs.testing.Await;
import jfs.wait.Sleepers;

/** What a {@link Peer} can report of JFS. A plain peer has no JFS, so it never loads this class. */
public final class Jfs {

    private Jfs() {
    }

    public static void install() {
        JFSSocketImplFactory.install();
    }

    static String unavailable() {
        return JFSSocketImplFactory.unavailable();
    }

    /** Waits until the negotiation has done all it can and waits for other processes. */
    static void awaitNegotiation() throws Exception {
        int[] looks = {0};
        Await.until("the negotiation waits", () -> {
            looks[0] = negotiation().equals("epollWait") ? looks[0] + 1 : 0;
            return looks[0] == 5;
        });
    }

    /** The method in which the negotiation's thread is. */
    static String negotiation() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(entry -> entry.getKey().getName().equals("jfs-negotiation") && entry.getValue().length > 0)
                .map(entry -> entry.getValue()[0].getMethodName()).findAny().orElse("none");
    }

    /** The number of connections that have got a fast path. */
    static long attached() {
        return Stats.ATTACHED.sum();
    }

    /** How often a thread has gone to sleep on a path. */
    public static long sleeps() {
        return Sleepers.SLEEPS.sum();
    }

    /**
     * The number of buffers with messages that are under way or unread. Some of the buffers for messages to come may be
     * missing at times.
     */
    static int messages() throws IOException {
        return Math.max(0, MxEndpoint.ofProcess(0).buffersInUse() - MxEndpoint.RECEIVES);
    }

    /** Takes MX messages. The endpoint itself does that when there is something to take, or when a second has passed. */
    static void progress() throws IOException {
        MxEndpoint.ofProcess(0).progressAll();
    }

    static int channels() throws IOException {
        return MxEndpoint.ofProcess(0).channels();
    }

    /** The number of this process's directions that have switched. */
    public static long switched() {
        return Stats.SWITCHED_OUT.sum() + Stats.SWITCHED_IN.sum();
    }
}
