package programs.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import programs.Console;

/** How a client tells the server what HTTP has no words for: a wish and what came of it, a line each. */
final class Control {

    private final int port;

    /** A client's. */
    Control(int port) {
        this.port = port;
    }

    /** Returns when it is done. */
    String ask(String wish) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            say(socket, wish);
            return hear(socket);
        }
    }

    /** The server's, which returns when the socket is closed. */
    static void serve(ServerSocket listener, UnaryOperator<String> fulfil) {
        while (!listener.isClosed()) {
            try (Socket socket = listener.accept()) {
                say(socket, fulfil.apply(hear(socket)));
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    Console.say(e);
                }
            }
        }
    }

    private static void say(Socket socket, String line) throws IOException {
        socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    private static String hear(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)).readLine();
    }
}
