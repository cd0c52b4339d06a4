package com.example;

import java.net.InetAddress;
import java.net.Socket;

/** Asks the server a hundred thousand times. Knows nothing of JFS. */
public final class Client {

    public static void main(String[] args) throws Exception {
        try (Socket server = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]))) {
            server.setTcpNoDelay(true);
            for (int i = 0; i < 100_000; i++) {
                server.getOutputStream().write(41);
                if (server.getInputStream().read() != 42) {
                    throw new AssertionError("another answer");
                }
            }
        }
    }
}
