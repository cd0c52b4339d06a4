package jfs.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Ports that no process uses, for {@code jfs.hosts.ports}. Another process that used such a port would answer in this one's
 * place.
 */
public final class FreePorts {

    private FreePorts() {
    }

    /**
     * The first of several free ports in a row. They lie below the range from which the kernel chooses ports, because a
     * port that it has chosen would be in the way.
     */
    public static int firstOf(int many) {
        int first;
        do {
            first = ThreadLocalRandom.current().nextInt(10_000, 30_000);
        } while (!IntStream.range(first, first + many).allMatch(FreePorts::isFree));
        return first;
    }

    /** A range with as many ports as the setting's default. */
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
