package jfs.conformance.hosts;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import jfs.conformance.harness.processes.Orders;
import jfs.testing.Background;

/**
 * A process on a host between two others. It passes bytes on as a translator of addresses does, with its own address as the
 * sender's.
 */
final class Forwarder {

    private final List<Background<Void>> work = new ArrayList<>();

    private Forwarder() {
    }

    public static void main(String[] args) throws IOException {
        Forwarder it = new Forwarder();
        new Orders().run(it::obey);
    }

    private Object obey(String order, String[] words) throws Exception {
        switch (order) {
            case "forward" -> { // from this port, to that address and port
                ServerSocket listener = new ServerSocket(Integer.parseInt(words[2]));
                work.add(Background.run(() -> {
                    for (;;) {
                        Socket in = listener.accept();
                        Socket out = new Socket(InetAddress.getByName(words[3]), Integer.parseInt(words[4]));
                        pass(in, out);
                        pass(out, in);
                    }
                }));
            }
            case "descriptors" -> {
                return 0;
            }
            default -> throw new IllegalArgumentException(order);
        }
        return "done";
    }

    private static void pass(Socket from, Socket to) {
        Background.run(() -> {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        });
    }
}
