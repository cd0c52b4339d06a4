package programs.web;

import java.nio.ByteBuffer;
import java.util.List;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import programs.Console;

/** The site on Jetty. */
public final class JettyServer {

    private JettyServer() {
    }

    /** Writes two ports: without TLS and with TLS. */
    public static void main(String[] args) throws Exception {
        Console.open();
        Console.sayProvider();
        Server server = new Server();
        ServerConnector plain = plain(server);
        ServerConnector tls = tls(server);
        for (ServerConnector each : List.of(plain, tls)) {
            each.setHost(Console.address());
            server.addConnector(each);
        }
        server.setHandler(new SiteHandler());
        server.start();
        Console.say("port " + plain.getLocalPort() + " " + tls.getLocalPort());
        Console.awaitTold();
        server.stop();
        Console.say("stopped");
    }

    private static ServerConnector plain(Server server) {
        HttpConfiguration configuration = new HttpConfiguration();
        return new ServerConnector(server, new HttpConnectionFactory(configuration), new HTTP2CServerConnectionFactory(configuration));
    }

    private static ServerConnector tls(Server server) {
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.addCustomizer(new SecureRequestCustomizer(false)); // the clients name the server by its address
        SslContextFactory.Server context = new SslContextFactory.Server();
        context.setKeyStorePath(System.getProperty("javax.net.ssl.keyStore"));
        context.setKeyStorePassword(System.getProperty("javax.net.ssl.keyStorePassword"));
        ALPNServerConnectionFactory choice = new ALPNServerConnectionFactory();
        choice.setDefaultProtocol("http/1.1");
        return new ServerConnector(server, new SslConnectionFactory(context, choice.getProtocol()), choice,
                new HTTP2ServerConnectionFactory(configuration), new HttpConnectionFactory(configuration));
    }

    private static final class SiteHandler extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            byte[] body = Content.Source.asInputStream(request).readAllBytes();
            response.getHeaders().put("Client-Port", "" + Request.getRemotePort(request));
            response.write(true, ByteBuffer.wrap(Site.answer(request.getHttpURI().getPath(), body)), callback);
            return true;
        }
    }
}
