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

/**
 * The connection by which a client asks the server for something that HTTP cannot express. The request is one line, and
 * so is the result.
 */
final class Control {

    private final int port;

    /** Makes the client's side. */
    Control(int port) {
        this.port = port;
    }

    /** Sends the request. Returns the result when the server has done it. */
    String ask(String wish) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            say(socket, wish);
            return hear(socket);
        }
    }

    /** Runs the server's side. Returns when the listening socket is closed. */
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
