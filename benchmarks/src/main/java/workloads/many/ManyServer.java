package workloads.many;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import workloads.Program;

/**
 * Answers each request with the same bytes, with a thread for each connection. A client first says how long its requests are,
 * in four bytes, and is told this process's number, in eight.
 *
 * <p>Arguments: address, port.
 */
public final class ManyServer {
    private static final int BACKLOG = 1024;
    private static final long STACK = 256 << 10;

    private ManyServer() {}

    public static void main(String[] args) throws IOException {
        Program.endWithParent();
        try (ServerSocket server = new ServerSocket(Integer.parseInt(args[1]), BACKLOG, InetAddress.getByName(args[0]))) {
            Program.ready(server.getLocalPort());
            for (;;) {
                Socket socket = server.accept();
                Thread thread = new Thread(null, () -> serve(socket), "server of " + socket.getPort(), STACK);
                thread.setDaemon(true);
                thread.start();
            }
        }
    }

    private static void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            byte[] request = new byte[new DataInputStream(in).readInt()];
            new DataOutputStream(out).writeLong(ProcessHandle.current().pid());
            while (in.readNBytes(request, 0, request.length) == request.length) {
                out.write(request);
            }
        } catch (IOException e) {
            System.err.println("server: " + e);
        }
    }
}
