package workloads.startup;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import workloads.Program;

/**
 * Answers each request with the same bytes, with a thread for each connection. After it has printed its port, the server does nothing
 * that is slow in a JVM the first time, such as a lambda.
 *
 * <p>Arguments: address, port, bytes of a request.
 */
public final class EchoServer implements Runnable {
    private static final int BACKLOG = 1024;

    private final Socket socket;
    private final byte[] request;

    private EchoServer(Socket socket, int bytes) {
        this.socket = socket;
        request = new byte[bytes];
    }

    public static void main(String[] args) throws IOException {
        Program.endWithParent();
        int bytes = Integer.parseInt(args[2]);
        try (ServerSocket server = new ServerSocket(Integer.parseInt(args[1]), BACKLOG, InetAddress.getByName(args[0]))) {
            Program.ready(server.getLocalPort());
            for (;;) {
                Thread thread = new Thread(new EchoServer(server.accept(), bytes), "server");
                thread.setDaemon(true);
                thread.start();
            }
        }
    }

    @Override
    public void run() {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            while (in.readNBytes(request, 0, request.length) == request.length) {
                out.write(request);
            }
        } catch (IOException e) {
            System.err.println("server: " + e);
        }
    }
}
