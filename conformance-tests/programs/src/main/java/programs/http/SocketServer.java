package programs.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.config.CharCodingConfig;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.bootstrap.HttpServer;
import org.apache.hc.core5.http.impl.bootstrap.ServerBootstrap;
import org.apache.hc.core5.http.impl.io.DefaultBHttpServerConnection;
import org.apache.hc.core5.http.impl.io.DefaultBHttpServerConnectionFactory;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.io.CloseMode;

/** Apache HttpCore's server, with a thread for each connection. TLS is layered over the accepted socket. */
final class SocketServer implements AutoCloseable {

    private final Site site;
    private final HttpServer server;
    private final Set<DefaultBHttpServerConnection> connections = ConcurrentHashMap.newKeySet();

    /** @param tls null for a server without TLS */
    SocketServer(Site site, SSLContext tls) throws IOException {
        this.site = site;
        InetAddress local = InetAddress.getLoopbackAddress();
        server = ServerBootstrap.bootstrap().setLocalAddress(local).setListenerPort(0)
                .setCanonicalHostName(local.getHostAddress())
                .setSslContext(tls).setConnectionFactory(new Connections()).register("*", this::handle).create();
        server.start();
    }

    int port() {
        return server.getLocalPort();
    }

    /** Closes all connections. The caller knows that they are idle. */
    void closeConnections() {
        connections.forEach(connection -> connection.close(CloseMode.GRACEFUL));
        connections.clear();
    }

    private final class Connections extends DefaultBHttpServerConnectionFactory {

        Connections() {
            super(null, Http1Config.DEFAULT, CharCodingConfig.DEFAULT);
        }

        @Override
        public DefaultBHttpServerConnection createConnection(Socket socket) throws IOException {
            return known(super.createConnection(socket));
        }

        @Override
        public DefaultBHttpServerConnection createConnection(SSLSocket tls, Socket socket) throws IOException {
            return known(super.createConnection(tls, socket));
        }

        private DefaultBHttpServerConnection known(DefaultBHttpServerConnection connection) {
            connections.removeIf(other -> !other.isOpen());
            connections.add(connection);
            return connection;
        }
    }

    private void handle(ClassicHttpRequest request, ClassicHttpResponse response, HttpContext context)
            throws IOException {
        HttpEntity body = request.getEntity();
        Site.Answer answer = site.answer(new Site.Request(request.getMethod(), request.getPath(),
                body != null && body.getContentLength() >= 0 ? "length " + body.getContentLength() : "chunks",
                body != null ? body.getContent() : InputStream.nullInputStream()));
        answer.headers().forEach(response::setHeader);
        InetSocketAddress client =
                (InetSocketAddress) HttpCoreContext.cast(context).getEndpointDetails().getRemoteAddress();
        response.setHeader("Client-Port", client.getPort());
        response.setCode(answer.status());
        response.setEntity(new Entity(answer));
    }

    private static final class Entity extends AbstractHttpEntity {

        private final Site.Answer answer;

        Entity(Site.Answer answer) {
            super(ContentType.APPLICATION_OCTET_STREAM, null, answer.promised() < 0);
            this.answer = answer;
        }

        @Override
        public long getContentLength() {
            return answer.promised();
        }

        @Override
        public boolean isStreaming() {
            return true;
        }

        @Override
        public InputStream getContent() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void writeTo(OutputStream out) throws IOException {
            out.write(answer.body());
            out.flush();
            if (answer.isCut()) {
                throw new IOException("cut");
            }
        }

        @Override
        public void close() {
            // holds nothing
        }
    }

    @Override
    public void close() {
        server.close(CloseMode.IMMEDIATE);
    }
}
