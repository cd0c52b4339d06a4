package jfs.conformance.hostile;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.UnaryOperator;
import jfs.conformance.harness.processes.Orders;
import jfs.nativelib.NativeLibrary;
import jfs.nativelib.Posix;

/** A process that speaks JFS's protocol and claims an end of a connection that other processes have. It obeys {@link Orders}. */
final class Impostor {

    private Impostor() {
    }

    public static void main(String[] args) throws IOException {
        NativeLibrary.lookIn(Path.of(System.getProperty("jfs.native.dir")), "shim", "shim");
        if (NativeLibrary.unavailable() != null) {
            throw new IllegalStateException(NativeLibrary.unavailable());
        }
        Impostor impostor = new Impostor();
        new Orders().run((order, words) -> impostor.obey(order, words));
    }

    private Object obey(String order, String[] words) throws IOException {
        return switch (order) {
            case "claim" -> claim(Integer.parseInt(words[2]), Integer.parseInt(words[3])); // client's port, server's port
            case "pose" -> pose(Integer.parseInt(words[2])); // server's port
            case "relay" -> relay(Integer.parseInt(words[2]), words[3]); // server's port, how this process writes the client's token
            default -> throw new IllegalArgumentException(order);
        };
    }

    /** Makes an offer as the client of that connection. @return the status of the answer */
    private int claim(int client, int server) throws IOException {
        InetAddress loopback = InetAddress.getByName("127.0.0.1");
        HostilePeer peer = HostilePeer.withoutConnection(true);
        peer.makeSegment(42);
        byte[] offer = HostilePeer.offer(42, false, new InetSocketAddress(loopback, client),
                new InetSocketAddress(loopback, server), peer.description());
        return HostilePeer.say(HostilePeer.name(server), offer);
    }

    /** Answers one offer in the place of the server that listens there. It takes the memory from the client's offer. */
    private String pose(int server) {
        return serve(server, names ->
                HostilePeer.withoutConnection(false).answerOffer(names, (it, description) -> HostilePeer.joined(it)));
    }

    /** Passes one offer on to the server, which has the second name of its port, and the answer back. */
    private String relay(int server, String spelling) {
        UnaryOperator<String> own = switch (spelling) {
            case "not" -> null;
            case "upper" -> name -> name.replaceFirst("visit/.*", "visit/") + token(name).toUpperCase(Locale.ROOT);
            default -> name -> name.replace("visit/", "visit/" + spelling);
        };
        return serve(server, names -> HostilePeer.relay(names, HostilePeer.name(server).replace("#0", "#1"), own));
    }

    private static String token(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    private interface Service {
        void serve(int names) throws IOException;
    }

    private static String serve(int server, Service service) {
        int names = Posix.unixListen(HostilePeer.name(server), 8);
        if (names < 0) {
            return Posix.errorText(-names);
        }
        Thread thread = new Thread(() -> {
            try {
                service.serve(names);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return "done";
    }
}
