package programs.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/** The JDK's own HTTP server, which uses channels. */
final class ChannelServer implements AutoCloseable {

    private final Site site;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** @param tls null for a server without TLS */
    ChannelServer(Site site, SSLContext tls) throws IOException {
        this.site = site;
        InetSocketAddress local = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        if (tls == null) {
            server = HttpServer.create(local, 0);
        } else {
            HttpsServer https = HttpsServer.create(local, 0);
            https.setHttpsConfigurator(new HttpsConfigurator(tls));
            server = https;
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String length = exchange.getRequestHeaders().getFirst("Content-Length");
            Site.Answer answer = site.answer(new Site.Request(exchange.getRequestMethod(),
                    exchange.getRequestURI().getPath(), length != null ? "length " + length : "chunks",
                    exchange.getRequestBody()));
            answer.headers().forEach(exchange.getResponseHeaders()::set);
            exchange.getResponseHeaders().set("Client-Port", "" + exchange.getRemoteAddress().getPort());
            exchange.sendResponseHeaders(answer.status(), Math.max(0, answer.promised())); // 0 means chunks
            OutputStream out = exchange.getResponseBody();
            out.write(answer.body());
            out.flush();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
    }
}
