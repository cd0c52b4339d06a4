package workloads.network;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** HTTP with {@code java.net.http} and the JDK's server: channels at both ends. */
final class HttpServerRequests implements Subject {
    /** The length of the body, of all servers that are asked by this client. */
    static final int BYTES = 100;

    @Override
    public int serve(int port) throws IOException {
        // The server writes head and body of an answer one after the other. Without this it waits 40 ms for an acknowledgement in between.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        HttpServer server = HttpServer.create(new InetSocketAddress(HOST, port), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, BYTES);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(new byte[BYTES]);
            }
        });
        server.start();
        return server.getAddress().getPort();
    }

    @Override
    public Operation operation(String name, int port) {
        return get(name, port);
    }

    /** Asks by {@code java.net.http}, which keeps its connection alive. {@link JettyRequests} has the same client. */
    static Operation get(String name, int port) {
        if (!name.equals("get")) {
            throw Subject.unknown(name);
        }
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + HOST + ":" + port + "/")).build();
        return () -> {
            HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            Subject.expect(answer.statusCode() == 200 && answer.body().length == BYTES);
        };
    }
}
