package programs.tls;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import programs.Bytes;
import programs.Console;

/** A client that does everything twice: over TLS 1.2 and over TLS 1.3. */
public final class Client {

    private static final InetAddress HOST = InetAddress.getLoopbackAddress();

    private final String protocol;
    private final SSLSocketFactory factory;
    private final int port;
    private final int authenticating;
    private final int stranger;
    private final int layered;

    private Client(String protocol, int[] ports) throws Exception {
        this.protocol = protocol;
        this.factory = SSLContext.getDefault().getSocketFactory();
        port = ports[0];
        authenticating = ports[1];
        stranger = ports[2];
        layered = ports[3];
    }

    /** Arguments: the server's ports. */
    public static void main(String[] args) throws Exception {
        Console.open();
        int[] ports = Arrays.stream(args).mapToInt(Integer::parseInt).toArray();
        Client[] clients = {new Client("TLSv1.2", ports), new Client("TLSv1.3", ports)};
        clients[0].untilTold();
        for (Client client : clients) {
            client.session();
            client.bothWays();
            client.timeOut();
            client.halfCloses();
            client.closes();
            client.authentication();
            client.refusals();
            client.layers();
        }
        Console.say("closed");
    }

    /**
     * Repeats an exchange on two connections: one has TLS from the beginning, and the other one is plain. At the end it
     * begins TLS on the plain one.
     */
    private void untilTold() throws Exception {
        try (SSLSocket tls = connect(port, "echo"); Socket socket = new Socket(HOST, layered)) {
            Console.untilTold(() -> echo(tls, 10) + plainEcho(socket, 'e'));
            layer(socket, true);
        }
    }

    // ---- helpers ----

    private SSLSocket connect(int to, String wish) throws IOException {
        SSLSocket tls = by(protocol, (SSLSocket) factory.createSocket(HOST, to));
        try {
            new DataOutputStream(tls.getOutputStream()).writeUTF(wish);
        } catch (IOException e) {
            tls.close();
            throw e;
        }
        return tls;
    }

    private static SSLSocket by(String protocol, SSLSocket tls) {
        tls.setEnabledProtocols(new String[] {protocol});
        return tls;
    }

    private static String echo(Socket tls, int length) throws IOException {
        DataOutputStream out = new DataOutputStream(tls.getOutputStream());
        out.writeInt(length);
        out.write(Bytes.of(length, length));
        return heard(tls);
    }

    private static String heard(Socket tls) throws IOException {
        DataInputStream in = new DataInputStream(tls.getInputStream());
        return Bytes.digest(in.readNBytes(in.readInt()));
    }

    private static int plainEcho(Socket socket, int value) throws IOException {
        socket.getOutputStream().write(value);
        return socket.getInputStream().read();
    }

    private static void sayFailure(Attempt attempt) {
        try {
            attempt.run();
            Console.say("no failure");
        } catch (IOException e) {
            Console.say(e);
        }
    }

    private interface Attempt {
        void run() throws IOException;
    }

    // ---- conversations ----

    /** The second connection resumes the first one's session. */
    private void session() throws IOException {
        long created = 0;
        for (int i = 0; i < 2; i++) {
            try (SSLSocket tls = connect(port, "echo")) {
                SSLSession session = tls.getSession();
                Console.say(session.getProtocol() + " " + session.getCipherSuite() + " " + session.getPeerPrincipal());
                for (int length : new int[] {0, 1, 1 << 10, 100_000}) {
                    Console.say(echo(tls, length));
                }
                Console.say("resumed: " + (session.getCreationTime() == created));
                created = session.getCreationTime();
            }
        }
    }

    private void bothWays() throws IOException {
        try (SSLSocket tls = connect(port, "both")) {
            tls.getOutputStream().write(Bytes.of(4, Server.LARGE));
            DataInputStream in = new DataInputStream(tls.getInputStream());
            Console.say(Bytes.digest(in.readNBytes(Server.LARGE)));
            Console.say(in.readUTF());
        }
    }

    private void timeOut() throws IOException {
        try (SSLSocket tls = connect(port, "echo")) {
            Console.say(echo(tls, 5));
            tls.setSoTimeout(100);
            sayFailure(() -> tls.getInputStream().read());
            sayFailure(() -> tls.getInputStream().read());
            tls.setSoTimeout(20_000);
            Console.say(echo(tls, 6));
        }
    }

    private void halfCloses() throws IOException {
        try (SSLSocket tls = connect(port, "answer")) {
            tls.getOutputStream().write(Bytes.of(5, 1000));
            tls.shutdownOutput();
            Console.say(tls.isOutputShutdown() + " " + Bytes.digest(tls.getInputStream().readAllBytes()));
            sayFailure(() -> tls.getOutputStream().write(1));
        }
        try (SSLSocket tls = connect(port, "half")) {
            Console.say(Bytes.digest(tls.getInputStream().readAllBytes()));
            sayFailure(() -> tls.getOutputStream().write(Bytes.of(6, 1000)));
        }
    }

    private void closes() throws Exception {
        try (SSLSocket tls = connect(port, "close")) {
            Console.say(tls.getInputStream().read());
        }
        SSLSocket tls = connect(port, "echo");
        Console.say(echo(tls, 7));
        CountDownLatch reading = new CountDownLatch(1);
        Thread reader = new Thread(() -> {
            try {
                reading.countDown();
                tls.getInputStream().read();
            } catch (IOException e) {
                // Either this exception or an end of stream: that depends on whether the server's answer to the close
                // comes first.
            }
        }, "reader");
        reader.start();
        reading.await();
        tls.close();
        reader.join();
        sayFailure(() -> tls.getOutputStream().write(1));
    }

    private void authentication() throws Exception {
        try (SSLSocket tls = connect(authenticating, "echo")) {
            Console.say(echo(tls, 8) + " for " + tls.getSession().getLocalPrincipal());
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init((KeyStore) null); // the JVM's default trust store
        SSLContext anonymous = SSLContext.getInstance("TLS");
        anonymous.init(null, trust.getTrustManagers(), null);
        SSLSocketFactory factoryOfAnonymous = anonymous.getSocketFactory();
        try (SSLSocket tls = by(protocol, (SSLSocket) factoryOfAnonymous.createSocket(HOST, authenticating))) {
            tls.startHandshake();
            tls.getInputStream().read(); // with TLS 1.3 the client learns of the refusal here
        } catch (IOException e) {
            Console.say("refused"); // the client learns of the refusal while it writes or while it reads, so the exception differs
        }
    }

    /** Handshakes that the client refuses, that the server refuses, and that both refuse. */
    private void refusals() throws IOException {
        sayFailure(() -> connect(stranger, "echo"));
        try (SSLSocket other = by("TLSv1.1", (SSLSocket) factory.createSocket(HOST, port))) {
            sayFailure(other::startHandshake);
        }
        try (Socket plain = new Socket(HOST, port)) {
            plain.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes());
            Console.say(plain.getInputStream().readAllBytes().length > 0); // the server has sent an alert
        }
    }

    private void layers() throws IOException {
        try (Socket socket = new Socket(HOST, layered)) {
            layer(socket, true);
            Console.say("closed: " + socket.isClosed());
        }
        try (Socket socket = new Socket(HOST, layered)) {
            Console.say(plainEcho(socket, 'k'));
            layer(socket, false);
            Console.say(plainEcho(socket, 'e')); // the connection is plain again
            layer(socket, false);
            Console.say(plainEcho(socket, 'f'));
        }
        try (Socket socket = new Socket(HOST, layered)) {
            Console.say(plainEcho(socket, 'c'));
            try (SSLSocket tls = over(socket, true)) {
                new DataOutputStream(tls.getOutputStream()).writeUTF("echo");
                Console.say(tls.getInputStream().read());
            }
        }
    }

    private SSLSocket over(Socket socket, boolean autoClose) throws IOException {
        return by(protocol,
                (SSLSocket) factory.createSocket(socket, HOST.getHostAddress(), socket.getPort(), autoClose));
    }

    private void layer(Socket socket, boolean autoClose) throws IOException {
        try (SSLSocket tls = over(socket, autoClose)) {
            new DataOutputStream(tls.getOutputStream()).writeUTF("echo");
            Console.say(echo(tls, 100_000));
            if (!autoClose) { // the bytes that follow shall be plain
                tls.shutdownOutput();
                Console.say(tls.getInputStream().read());
            }
        }
    }
}
