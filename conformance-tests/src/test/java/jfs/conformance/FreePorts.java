package jfs.conformance;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Ports that nobody has, for {@code jfs.hosts.ports}: whoever else had them would answer for himself. */
public final class FreePorts {

    private FreePorts() {
    }

    /** The first of several in a row, below those that the system gives out: one of its own would be in the way. */
    public static int firstOf(int many) {
        int first;
        do {
            first = ThreadLocalRandom.current().nextInt(10_000, 30_000);
        } while (!IntStream.range(first, first + many).allMatch(FreePorts::isFree));
        return first;
    }

    /** As many as a setting's usual ones. */
    public static String range() {
        int first = firstOf(16);
        return first + "-" + (first + 15);
    }

    private static boolean isFree(int port) {
        try (ServerSocket it = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return it.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
