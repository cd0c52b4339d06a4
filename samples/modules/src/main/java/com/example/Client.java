package com.example;

import java.net.InetAddress;
import java.net.Socket;
import jfs.JFSSocketImplFactory;
import jfs.stat.Stats;

/** Asks the server until both directions of the connection go by shared memory, for half a minute at most. */
public final class Client {

    public static void main(String[] args) throws Exception {
        JFSSocketImplFactory.install(); // before the first socket
        if (JFSSocketImplFactory.unavailable() != null) {
            System.err.println("no fast path here: " + JFSSocketImplFactory.unavailable());
        }
        try (Socket server = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]))) {
            server.setTcpNoDelay(true);
            // A connection starts on TCP. It becomes fast after some hundred questions, within milliseconds.
            long end = System.nanoTime() + 30_000_000_000L;
            while ((Stats.SWITCHED_OUT.sum() == 0 || Stats.SWITCHED_IN.sum() == 0) && System.nanoTime() < end) {
                server.getOutputStream().write(41);
                if (server.getInputStream().read() != 42) {
                    throw new AssertionError("another answer");
                }
            }
        }
        System.out.println("fast connections: " + Stats.fast());
    }
}
