package programs.rmi;

import java.net.ServerSocket;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import javax.rmi.ssl.SslRMIClientSocketFactory;
import javax.rmi.ssl.SslRMIServerSocketFactory;
import programs.Console;

/** Of making the sockets of remote objects. Each has a port of its own. */
enum Way {

    /** RMI's own. */
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
