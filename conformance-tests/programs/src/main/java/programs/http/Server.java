package programs.http;

import java.net.InetAddress;
import java.net.ServerSocket;
import javax.net.ssl.SSLContext;
import programs.Console;

/** One site that is served by sockets and by channels, each with TLS and without. */
public final class Server {

    private Server() {
    }

    /**
     * Writes the port of its control, then the URLs of the site: by sockets without TLS, by sockets with TLS, by
     * channels without TLS, by channels with TLS.
     */
    public static void main(String[] args) throws Exception {
        Console.open();
        Site site = new Site();
        SSLContext tls = SSLContext.getDefault();
        try (ServerSocket control = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
                SocketServer sockets = new SocketServer(site, null);
                SocketServer tlsSockets = new SocketServer(site, tls);
                ChannelServer channels = new ChannelServer(site, null);
                ChannelServer tlsChannels = new ChannelServer(site, tls)) {
            Thread controller = new Thread(() -> Control.serve(control, wish -> {
                switch (wish) {
                    case "await" -> site.awaitLate();
                    case "release" -> site.release();
                    case "close" -> {
                        sockets.closeConnections();
                        tlsSockets.closeConnections();
                    }
                    default -> throw new IllegalArgumentException(wish);
                }
                return "done";
            }), "control");
            controller.setDaemon(true);
            controller.start();
            Console.sayPort(control.getLocalPort());
            Console.say("address http://127.0.0.1:" + sockets.port() + " https://127.0.0.1:" + tlsSockets.port()
                    + " http://127.0.0.1:" + channels.port() + " https://127.0.0.1:" + tlsChannels.port());
            Console.awaitTold();
        }
        Console.say("stopped");
    }
}
