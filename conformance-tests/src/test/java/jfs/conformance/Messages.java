package jfs.conformance;

import java.io.IOException;
import jfs.mx.MxEndpoint;

/** What this process's connections over MX have of its endpoint; on all other subjects nothing. */
final class Messages {

    private Messages() {
    }

    /** Once there was a connection. */
    private static MxEndpoint endpoint() throws IOException {
        return MxEndpoint.ofProcess(0);
    }

    private static boolean areThere() {
        return Subject.current() == Subject.MX;
    }

    /** Ends of connections. */
    static int channels() throws IOException {
        return areThere() ? endpoint().channels() : 0;
    }

    /** Buffers of messages that are under way or unread: not those for what may come, of which some may lack at a time. */
    static int buffers() throws IOException {
        return areThere() ? Math.max(0, endpoint().buffersInUse() - MxEndpoint.RECEIVES) : 0;
    }

    /** Their memory, bytes. */
    static long held() throws IOException {
        return areThere() ? buffers() * (long) endpoint().messageMax() : 0;
    }
}
