package jfs.conformance.harness;

import java.io.IOException;
import jfs.mx.MxEndpoint;

/** What this process's connections hold of its MX endpoint. For all subjects but MX that is nothing. */
public final class Messages {

    private Messages() {
    }

    /** Exists once there was a connection. */
    private static MxEndpoint endpoint() throws IOException {
        return MxEndpoint.ofProcess(0);
    }

    private static boolean areThere() {
        return Subject.current() == Subject.MX;
    }

    /** The number of connections' ends. */
    public static int channels() throws IOException {
        return areThere() ? endpoint().channels() : 0;
    }

    /**
     * The number of buffers with messages that are under way or unread. The buffers for messages to come don't count; some
     * of these may be missing at times.
     */
    public static int buffers() throws IOException {
        return areThere() ? Math.max(0, endpoint().buffersInUse() - MxEndpoint.RECEIVES) : 0;
    }

    /** The memory of these buffers in bytes. */
    static long held() throws IOException {
        return areThere() ? buffers() * (long) endpoint().messageMax() : 0;
    }
}
