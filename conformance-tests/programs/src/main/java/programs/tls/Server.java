package programs.tls;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import programs.Bytes;
import programs.Console;

/**
 * A server that does what its clients ask for, one client after the other at each port. At the end it writes the
 * results, port by port.
 */
public final class Server {

    static final int LARGE = 1 << 20;

    /** The first byte of a TLS record that carries a handshake message. */
    private static final int HANDSHAKE = 22;

    private interface Conversation {
        void with(Socket socket, List<String> said) throws IOException;
    }

    /** The name of the port. */
    private final String name;
    private final ServerSocket listener;
    private final Conversation conversation;
    private final List<String> said = new ArrayList<>();
    private final Thread thread = new Thread(this::serve);

    private Server(String name, ServerSocket listener, Conversation conversation) {
        this.name = name;
        this.listener = listener;
        this.conversation = conversation;
        thread.start();
    }

    /**
     * Arguments: a key store whose certificate no client trusts, and its password. Writes its four ports: for all
     * clients, for clients that have a certificate, with the untrusted key, and for connections that begin without TLS.
     */
    public static void main(String[] args) throws Exception {
        Console.open();
        SSLContext known = SSLContext.getDefault();
        SSLServerSocket authenticating = listener(known);
        authenticating.setNeedClientAuth(true);
        SSLServerSocket stranger = listener(withKeys(Path.of(args[0]), args[1]));
        ServerSocket plain = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        List<Server> servers = List.of(new Server("tls", listener(known), Server::converse),
                new Server("authenticating", authenticating, Server::converse),
                new Server("stranger", stranger, Server::shakeHands), new Server("layered", plain, Server::layer));
        Console.say("port " + servers.stream().map(server -> "" + server.listener.getLocalPort())
                .collect(Collectors.joining(" ")));
        Console.awaitTold();
        for (Server server : servers) {
            server.listener.close();
            server.thread.join();
            Console.say("-- " + server.name);
            server.said.forEach(Console::say);
        }
        Console.say("stopped");
    }

    private static SSLServerSocket listener(SSLContext context) throws IOException {
        return (SSLServerSocket) context.getServerSocketFactory().createServerSocket(0, 0,
                InetAddress.getLoopbackAddress());
    }

    private static SSLContext withKeys(Path file, String password) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, password.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, password.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    private void serve() {
        while (!listener.isClosed()) {
            try (Socket socket = listener.accept()) {
                try {
                    conversation.with(socket, said);
                    said.add("done");
                } catch (IOException e) {
                    said.add(e.toString());
                }
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    said.add(e.toString());
                }
            }
        }
    }

    private static void converse(Socket socket, List<String> said) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        String wish = in.readUTF();
        said.add(wish + " by " + ((SSLSocket) socket).getSession().getProtocol());
        switch (wish) {
            case "echo" -> echo(in, out);
            case "both" -> { // the server writes before it reads, as the client does
                out.write(Bytes.of(1, LARGE));
                said.add(Bytes.digest(in.readNBytes(LARGE)));
                out.writeUTF("done");
            }
            case "answer" -> {
                said.add(Bytes.digest(in.readAllBytes()));
                out.write(Bytes.of(2, LARGE));
            }
            case "half" -> {
                out.write(Bytes.of(3, LARGE));
                socket.shutdownOutput();
                said.add(Bytes.digest(in.readAllBytes()));
            }
            case "close" -> socket.close();
            default -> throw new IllegalArgumentException(wish);
        }
    }

    private static void shakeHands(Socket socket, List<String> said) {
        try {
            ((SSLSocket) socket).startHandshake();
        } catch (IOException e) {
            said.add("refused"); // the exception differs: the server may still be writing
        }
    }

    private static void echo(DataInputStream in, DataOutputStream out) throws IOException {
        try {
            for (;;) {
                byte[] bytes = in.readNBytes(in.readInt());
                out.writeInt(bytes.length);
                out.write(bytes);
            }
        } catch (EOFException e) {
            // the client has sent everything
        }
    }

    /**
     * Echoes bytes until TLS begins. After TLS it goes on echoing if the client has asked for that ('k'). If the client
     * has asked for it ('c'), it closes the connection in the middle of TLS.
     */
    private static void layer(Socket socket, List<String> said) throws IOException {
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        boolean keep = false;
        boolean cut = false;
        for (int next = in.read(); next >= 0; next = in.read()) {
            switch (next) {
                case 'k' -> keep = true;
                case 'c' -> cut = true;
                case HANDSHAKE -> {
                    SSLSocket tls = (SSLSocket) ((SSLSocketFactory) SSLSocketFactory.getDefault())
                            .createSocket(socket, new ByteArrayInputStream(new byte[] {HANDSHAKE}), !keep);
                    if (cut) {
                        said.add(new DataInputStream(tls.getInputStream()).readUTF() + " is cut");
                        socket.close();
                        return;
                    }
                    try (tls) {
                        converse(tls, said);
                    }
                    said.add("closed: " + socket.isClosed());
                    if (!keep) {
                        return;
                    }
                    continue;
                }
                default -> {
                    // a byte that is only echoed
                }
            }
            out.write(next);
        }
    }
}
