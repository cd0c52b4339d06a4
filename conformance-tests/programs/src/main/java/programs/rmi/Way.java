package programs.rmi;

import java.net.ServerSocket;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import javax.rmi.ssl.SslRMIClientSocketFactory;
import javax.rmi.ssl.SslRMIServerSocketFactory;
import programs.Console;

/** A way of making the sockets of remote objects. Each way has its own port. */
enum Way {

    /** RMI's default sockets. */
    PLAIN(null, null),
    TUNED(new TunedSockets(), new TunedSockets()),
    DEFLATED(new DeflatedSockets(), new DeflatedSockets()),
    TLS(new SslRMIClientSocketFactory(), new SslRMIServerSocketFactory(null, null, true));

    private final RMIClientSocketFactory client;
    private final RMIServerSocketFactory server;

    Way(RMIClientSocketFactory client, RMIServerSocketFactory server) {
        this.client = client;
        this.server = server == null ? null : port -> {
            ServerSocket socket = server.createServerSocket(port);
            Console.say("address " + name() + " " + socket.getLocalPort());
            return socket;
        };
    }

    RMIClientSocketFactory client() {
        return client;
    }

    RMIServerSocketFactory server() {
        return server;
    }
}
