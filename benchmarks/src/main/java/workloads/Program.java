package workloads;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** What all these programs share. */
public final class Program {
    /** A property that is set if client and server are in one JVM. The client's standard input tells then when the JVM ends. */
    public static final String ALONE = "workloads.alone";

    private Program() {}

    /** Ends this JVM when its parent has ended. Standard input is a pipe to which the parent never writes. */
    public static void endWithParent() {
        watchParent(true);
    }

    /** The same, and the JVM does not end earlier either: for servers whose {@code main} returns and whose threads are daemons. */
    public static void liveWithParent() {
        watchParent(false);
    }

    private static void watchParent(boolean daemon) {
        if (Boolean.getBoolean(ALONE)) {
            return;
        }
        Thread watcher = new Thread(() -> {
            try {
                while (System.in.read() >= 0) {}
            } catch (IOException e) {
                // This counts as the end of standard input.
            }
            Runtime.getRuntime().halt(1);
        }, "parent-watcher");
        watcher.setDaemon(daemon);
        watcher.start();
    }

    /** Returns the given port, or for 0 a port that is free now: not every server can tell which port it has taken. */
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
