package workloads.network;

import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Sockets without a library: lines that are answered, lines and blocks one way. The client begins a connection with the operation's
 * name, as {@code writeUTF} writes it. The server acknowledges lines and blocks that go one way in the end, by a line or a byte. So an
 * operation is over when all its bytes have arrived.
 */
final class Streams implements Subject {
    private static final int LINES = 10_000;
    private static final int SMALL = 16 << 10;
    private static final int SMALL_BLOCKS = 1_024;
    private static final int LARGE = 1 << 20;
    private static final int LARGE_BLOCKS = 32;
    private static final String LINE = "a line of text as it is in a log or in a protocol";
    private static final String LAST = ".";

    @Override
    public int serve(int port) throws IOException {
        ServerSocket server = new ServerSocket(port, 50, InetAddress.getByName(HOST));
        Thread acceptor = new Thread(() -> accept(server), "acceptor");
        acceptor.setDaemon(true);
        acceptor.start();
        return server.getLocalPort();
    }

    private static void accept(ServerSocket server) {
        try (server) {
            for (;;) {
                Socket socket = server.accept();
                Thread thread = new Thread(() -> converse(socket), "server");
                thread.setDaemon(true);
                thread.start();
            }
        } catch (IOException e) {
            e.printStackTrace();
        }
    }

    private static void converse(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            String operation = new DataInputStream(socket.getInputStream()).readUTF();
            switch (operation) {
                case "lines" -> answerLines(socket);
                case "lines-one-way" -> takeLines(socket);
                case "16k" -> takeBlocks(socket, SMALL, SMALL_BLOCKS);
                case "1m" -> takeBlocks(socket, LARGE, LARGE_BLOCKS);
                default -> throw Subject.unknown(operation);
            }
        } catch (IOException e) {
            e.printStackTrace();
        }
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    private static PrintWriter writer(Socket socket, boolean flushes) throws IOException {
        return new PrintWriter(socket.getOutputStream(), flushes, StandardCharsets.UTF_8);
    }

    private static void answerLines(Socket socket) throws IOException {
        BufferedReader in = reader(socket);
        PrintWriter out = writer(socket, true);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.println(line);
        }
    }

    private static void takeLines(Socket socket) throws IOException {
        BufferedReader in = reader(socket);
        PrintWriter out = writer(socket, true);
        long count = 0;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.equals(LAST)) {
                out.println(count);
                count = 0;
            } else {
                count++;
            }
        }
    }

    private static void takeBlocks(Socket socket, int bytes, int blocks) throws IOException {
        byte[] block = new byte[bytes];
        for (int count = 0; socket.getInputStream().readNBytes(block, 0, bytes) == bytes; ) {
            if (++count == blocks) {
                socket.getOutputStream().write(block[bytes - 1]);
                count = 0;
            }
        }
    }

    @Override
    public Operation operation(String name, int port) throws IOException {
        Socket socket = new Socket(HOST, port);
        socket.setTcpNoDelay(true);
        new DataOutputStream(socket.getOutputStream()).writeUTF(name);
        return switch (name) {
            case "lines" -> lines(socket);
            case "lines-one-way" -> linesOneWay(socket);
            case "16k" -> blocks(socket, SMALL, SMALL_BLOCKS);
            case "1m" -> blocks(socket, LARGE, LARGE_BLOCKS);
            default -> throw Subject.unknown(name);
        };
    }

    private static Operation lines(Socket socket) throws IOException {
        BufferedReader in = reader(socket);
        PrintWriter out = writer(socket, true);
        return () -> {
            out.println(LINE);
            Subject.expect(LINE.equals(in.readLine()));
        };
    }

    /** Each line is a write of its own. */
    private static Operation linesOneWay(Socket socket) throws IOException {
        BufferedReader in = reader(socket);
        PrintWriter out = writer(socket, true);
        return () -> {
            for (int i = 0; i < LINES; i++) {
                out.println(LINE);
            }
            out.println(LAST);
            Subject.expect(Integer.toString(LINES).equals(in.readLine()));
        };
    }

    private static Operation blocks(Socket socket, int bytes, int blocks) {
        byte[] block = new byte[bytes];
        return () -> {
            block[bytes - 1]++;
            for (int i = 0; i < blocks; i++) {
                socket.getOutputStream().write(block);
            }
            Subject.expect((byte) socket.getInputStream().read() == block[bytes - 1]);
        };
    }
}
