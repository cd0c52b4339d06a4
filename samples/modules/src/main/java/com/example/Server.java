package com.example;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import jfs.JFSSocketImplFactory;
import jfs.stat.Stats;

/** Answers each byte by the next one, and says at the end how many of its connections went by shared memory. */
public final class Server {

    public static void main(String[] args) throws Exception {
        JFSSocketImplFactory.install(); // before the first socket
        if (JFSSocketImplFactory.unavailable() != null) {
            System.err.println("no fast path here: " + JFSSocketImplFactory.unavailable());
        }
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            System.out.println(listener.getLocalPort());
            try (Socket client = listener.accept()) {
                InputStream in = client.getInputStream();
                OutputStream out = client.getOutputStream();
                for (int question = in.read(); question >= 0; question = in.read()) {
                    out.write(question + 1);
                }
            }
        }
        System.out.println("fast connections: " + Stats.fast());
    }
}
