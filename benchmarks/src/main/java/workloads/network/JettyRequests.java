package workloads.network;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/** HTTP with {@code java.net.http} and Jetty: channels at both ends. */
final class JettyRequests implements Subject {
    private static final class Answer extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/octet-stream");
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, HttpServerRequests.BYTES);
            response.write(true, ByteBuffer.allocate(HttpServerRequests.BYTES), callback);
            return true;
        }
    }

    @Override
    public int serve(int port) throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost(HOST);
        connector.setPort(port);
        server.addConnector(connector);
        server.setHandler(new Answer());
        server.start();
        return connector.getLocalPort();
    }

    @Override
    public Operation operation(String name, int port) {
        return HttpServerRequests.get(name, port);
    }
}
