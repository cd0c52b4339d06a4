package workloads.network;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;

/** HTTP with {@code java.net.http} and the JDK's server: channels at both ends. */
final class HttpServerRequests implements Subject {
    @Override
    public int serve(int port) throws IOException {
        // The server writes head and body of an answer one after the other. Without this it waits 40 ms for an acknowledgement in between.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        HttpServer server = HttpServer.create(new InetSocketAddress(HOST, port), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, HttpGet.BYTES);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(new byte[HttpGet.BYTES]);
            }
        });
        server.start();
        return server.getAddress().getPort();
    }

    @Override
    public Operation operation(String name, int port) {
        return HttpGet.operation(name, port);
    }
}
