package workloads;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** What all these programs do. */
public final class Program {
    private Program() {}

    /** Ends this JVM when its parent has ended. Standard input is a pipe from the parent, which never writes. */
    public static void endWithParent() {
        watchParent(true);
    }

    /** The same, and the JVM ends no earlier: for servers whose {@code main} returns and whose threads are daemons. */
    public static void liveWithParent() {
        watchParent(false);
    }

    private static void watchParent(boolean daemon) {
        Thread watcher = new Thread(() -> {
            try {
                while (System.in.read() >= 0) {}
            } catch (IOException e) {
                // As good as its end.
            }
            Runtime.getRuntime().halt(1);
        }, "parent-watcher");
        watcher.setDaemon(daemon);
        watcher.start();
    }

    /** The port asked for, or for 0 one that is free now: not every server can be asked which one it took. */
    public static int port(String asked) throws IOException {
        int port = Integer.parseInt(asked);
        if (port != 0) {
            return port;
        }
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }

    public static void ready(int port) {
        System.out.println("port " + port);
    }

    public static void result(String key, double nanos) {
        System.out.println("result " + key + " " + nanos);
    }
}
