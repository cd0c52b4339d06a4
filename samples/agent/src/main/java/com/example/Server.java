package com.example;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Answers each byte by the next one. Knows nothing of JFS. */
public final class Server {

    public static void main(String[] args) throws Exception {
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
    }
}
