package programs.jdbc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.apache.derby.drda.NetworkServerControl;
import programs.Console;

/** A Derby network server for databases in memory. */
public final class Derby {

    private Derby() {
    }

    public static void main(String[] args) throws Exception {
        Console.open();
        System.setProperty("derby.stream.error.file", "/dev/null");
        InetAddress loopback = InetAddress.getLoopbackAddress();
        // Derby takes port 0 for its default port, so the program has to choose a port. The kernel gives a port that is
        // bound without a listener to no other program.
        try (Socket reservation = new Socket()) {
            reservation.setReuseAddress(true);
            reservation.bind(new InetSocketAddress(loopback, 0));
            int port = reservation.getLocalPort();
            NetworkServerControl server = new NetworkServerControl(loopback, port);
            start(server, port);
            Console.sayPort(port);
            Console.awaitEnd();
            server.shutdown();
        }
    }

    private static void start(NetworkServerControl server, int port) throws Exception {
        PipedReader log = new PipedReader();
        server.start(new PrintWriter(new PipedWriter(log), true));
        String said = new BufferedReader(log).readLine();
        if (!said.contains("port " + port)) {
            throw new IOException(said);
        }
    }
}
