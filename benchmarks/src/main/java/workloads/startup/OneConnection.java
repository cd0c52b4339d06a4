package workloads.startup;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** One connection, a byte there and a byte back. */
public final class OneConnection {
    private OneConnection() {}

    public static void main(String[] args) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
                Socket accepted = server.accept()) {
            client.getOutputStream().write(17);
            accepted.getOutputStream().write(accepted.getInputStream().read());
            System.out.println(client.getInputStream().read());
        }
    }
}
