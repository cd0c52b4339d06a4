package jfs.conformance.harness.processes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import jfs.conformance.harness.Transcript;

/** A program whose results depend on the JVM's networking properties. */
final class Addresses {

    private Addresses() {
    }

    static String look() throws IOException {
        Transcript seen = new Transcript();
        for (String address : new String[] {"127.0.0.1", "0.0.0.0", "::1", "::", "localhost"}) {
            try (ServerSocket listener = new ServerSocket()) {
                seen.see("listen at " + address, () -> listener.bind(new InetSocketAddress(address, 0)));
                seen.port("listener", listener.getLocalPort());
                seen.line(listener + " " + listener.getLocalSocketAddress());
            }
            try (Socket socket = new Socket()) {
                seen.see("bind to " + address, () -> socket.bind(new InetSocketAddress(address, 0)));
                seen.port("local", socket.getLocalPort());
                seen.line(socket + " " + socket.getLocalSocketAddress());
            }
        }
        int nobody;
        try (ServerSocket listener = new ServerSocket(0)) {
            nobody = listener.getLocalPort();
            seen.port("listener", nobody);
            for (String address : new String[] {"127.0.0.1", "::1", "::ffff:127.0.0.1", "0.0.0.0", "::", "localhost"}) {
                try (Socket socket = new Socket()) {
                    seen.see("connect to " + address,
                            () -> socket.connect(new InetSocketAddress(address, listener.getLocalPort())));
                    seen.port("local", socket.getLocalPort());
                    seen.line(socket + " " + socket.getLocalSocketAddress());
                    if (socket.isConnected()) {
                        try (Socket server = listener.accept()) {
                            seen.line(server + " " + server.getLocalSocketAddress());
                        }
                    }
                }
            }
        }
        seen.see("a name, where nobody listens", () -> new Socket("localhost", nobody));
        seen.see("an address, where nobody listens", () -> new Socket("127.0.0.1", nobody));
        seen.see("an address with a name, where nobody listens", () -> new Socket(InetAddress.getByAddress("far.invalid",
                new byte[] {127, 0, 0, 1}), nobody));
        seen.see("nowhere", () -> new Socket("224.0.0.1", 1));
        seen.see("an unknown name", () -> new Socket("nobody.invalid", 1));
        seen.see("an unresolved name", () -> new Socket().connect(
                InetSocketAddress.createUnresolved("nobody.invalid", 1)));
        try (ServerSocket listener = new ServerSocket(0)) {
            seen.port("listener", listener.getLocalPort());
            seen.see("a port that is taken", () -> new ServerSocket(listener.getLocalPort()));
            seen.see("bind to it", () -> new Socket().bind(listener.getLocalSocketAddress()));
        }
        seen.see("bind to what is not here", () -> new Socket().bind(new InetSocketAddress("203.0.113.1", 0)));
        return seen.toString();
    }
}
