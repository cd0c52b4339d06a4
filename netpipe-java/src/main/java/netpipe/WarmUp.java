package netpipe;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * Lets the JVM compile the timed loops, and the sockets under them, before the measurement starts: two threads of this
 * process run trials of one byte over the loopback. NPtcp does not warm up and has no message for it, so the peer must not
 * notice. There are many short trials, because then the JVM compiles each loop as a whole method, and not only from within
 * a running loop. Each trial also sends a large message. So reads of a message in parts are compiled too, and the first
 * such read does not make the JVM discard the compiled code.
 */
final class WarmUp {

    private static final int REPEATS = 20;
    /** More bytes than the JDK moves in one system call. */
    private static final int LARGE = 200_000;

    private WarmUp() {
    }

    static void run(Options options) throws IOException {
        if (options.warmUpSeconds() == 0) {
            return;
        }
        long nanos = (long) (options.warmUpSeconds() * TimeUnit.SECONDS.toNanos(1));
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (Endpoint.Listener listener = new Endpoint.Listener(new InetSocketAddress(loopback, 0), 0)) {
            Thread partner = new Thread(() -> answer(options, listener), "warm-up");
            partner.setDaemon(true);
            partner.start();
            try (Link link = new Link(new Endpoint.Dialer(loopback.getHostAddress(), listener.port(), 0))) {
                Trial small = trial(options, link, 1);
                Trial large = trial(options, link, LARGE);
                long start = System.nanoTime();
                while (System.nanoTime() - start < nanos) {
                    link.sync();
                    small.initiate(REPEATS);
                    large.initiate(1);
                }
                link.quit();
            }
        }
    }

    private static void answer(Options options, Endpoint endpoint) {
        try (endpoint; Link link = new Link(endpoint)) {
            Trial small = trial(options, link, 1);
            Trial large = trial(options, link, LARGE);
            while (link.syncOrQuit()) {
                if (options.bothWays()) {
                    small.initiate(REPEATS);
                } else {
                    small.respond(REPEATS);
                }
                // Never in both directions at once, because the socket buffers may be too small for that.
                large.respond(1);
            }
            link.quit();
        } catch (IOException e) {
            // Everything is closed by now, so the other thread fails as well, and reports that.
        }
    }

    private static Trial trial(Options options, Link link, int length) {
        Buffers buffers = new Buffers(options.cached(), options.sendOffset(), options.receiveOffset());
        buffers.resize(length);
        return new Trial(link, buffers, options.stream(), options.integrity());
    }
}
