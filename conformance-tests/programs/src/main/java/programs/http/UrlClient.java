package programs.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import programs.Bytes;
import programs.Console;

/** A client on HttpURLConnection. */
public final class UrlClient {

    private static final int THREADS = 4; // the number of connections that are kept alive
    private static final int LARGE = 256 << 10;

    private final Control control;
    private final String site;
    private String clientPort = "";

    private UrlClient(Control control, String site) {
        this.control = control;
        this.site = site;
    }

    /** Arguments: the control's port, then the URLs of the sites. */
    public static void main(String[] args) throws Exception {
        Console.open();
        Control control = new Control(Integer.parseInt(args[0]));
        List<UrlClient> clients = Arrays.stream(args).skip(1).map(url -> new UrlClient(control, url)).toList();
        Console.untilTold(() -> {
            for (UrlClient client : clients) {
                new String(client.open("/hello").getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            }
            return null;
        });
        for (UrlClient client : clients) {
            Console.say("-- " + client.site.replaceFirst(":.*", ""));
            client.keptAlive();
            client.posts();
            client.large();
            client.expectations();
            client.errors();
            client.redirect();
            client.timeOut();
            client.disconnect();
            client.closedByServer();
            client.threads();
        }
        Console.say("closed");
    }

    private HttpURLConnection open(String path) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) new URL(site + path).openConnection();
        connection.setConnectTimeout(30_000);
        connection.setReadTimeout(30_000);
        return connection;
    }

    /** Writes the answer, and whether it came by the same connection as the answer before. */
    private void sayAnswer(HttpURLConnection connection) throws IOException {
        InputStream in = connection.getResponseCode() < 400 ? connection.getInputStream() : connection.getErrorStream();
        byte[] body = in.readAllBytes();
        String before = clientPort;
        clientPort = connection.getHeaderField("Client-Port");
        Console.say(connection.getResponseCode() + " " + connection.getResponseMessage() + ", "
                + (body.length < 100 ? new String(body, StandardCharsets.UTF_8) : Bytes.digest(body))
                + (clientPort.equals(before) ? "" : ", by another connection"));
    }

    private void keptAlive() throws IOException {
        for (int i = 0; i < 5; i++) {
            sayAnswer(open("/hello"));
        }
    }

    private void posts() throws IOException {
        sayAnswer(post("/digest", 0, -1, false));
        sayAnswer(post("/digest", LARGE, -1, false));
        sayAnswer(post("/digest", LARGE, LARGE, false));
        sayAnswer(post("/digest", LARGE, 0, false));
        sayAnswer(post("/echo", LARGE, 0, false));
    }

    /**
     * @param framing -1: the connection collects the body before it sends it; 0: the body is sent in chunks; else the
     *     length that the request's header promises
     */
    private HttpURLConnection post(String path, int length, int framing, boolean expect) throws IOException {
        HttpURLConnection connection = open(path);
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        if (framing == 0) {
            connection.setChunkedStreamingMode(0);
        } else if (framing > 0) {
            connection.setFixedLengthStreamingMode(framing);
        }
        if (expect) {
            connection.setRequestProperty("Expect", "100-continue");
        }
        try (OutputStream out = connection.getOutputStream()) {
            out.write(Bytes.of(length, length));
        }
        return connection;
    }

    private void large() throws IOException {
        sayAnswer(open("/large"));
        sayAnswer(open("/chunks"));
    }

    private void expectations() throws IOException {
        sayAnswer(post("/digest", LARGE, LARGE, true));
        sayAnswer(post("/digest", LARGE, 0, true));
    }

    private void errors() throws IOException {
        for (String path : new String[] {"/missing", "/failing"}) {
            HttpURLConnection connection = open(path);
            sayException(connection);
            sayAnswer(connection);
        }
        sayException(open("/cut"));
        sayAnswer(open("/hello"));
    }

    private void sayException(HttpURLConnection connection) throws IOException {
        try {
            Console.say(connection.getInputStream().readAllBytes().length); // the length can differ from the promised one
        } catch (SocketTimeoutException e) {
            Console.say(e + ", after " + e.bytesTransferred);
        } catch (IOException e) {
            Console.say(e.toString().replace(site, ""));
        }
    }

    private void redirect() throws IOException {
        sayAnswer(open("/moved"));
        HttpURLConnection connection = open("/moved");
        connection.setInstanceFollowRedirects(false);
        Console.say(connection.getResponseCode() + " " + connection.getHeaderField("Location"));
        connection.getInputStream().readAllBytes();
    }

    private void timeOut() throws IOException {
        HttpURLConnection connection = open("/late");
        connection.setReadTimeout(200);
        sayException(connection);
        control.ask("await");
        control.ask("release");
        sayAnswer(open("/hello"));
    }

    /** The client disconnects in the middle of an answer. */
    private void disconnect() throws IOException {
        HttpURLConnection connection = open("/large");
        Console.say(connection.getInputStream().readNBytes(1000).length);
        connection.disconnect();
        sayAnswer(open("/hello"));
    }

    /** The server closes the connections while they are idle. */
    private void closedByServer() throws IOException {
        control.ask("close");
        sayAnswer(open("/hello"));
        control.ask("close");
        sayAnswer(post("/digest", LARGE, LARGE, false)); // this request can't be repeated
        control.ask("close");
        sayAnswer(post("/digest", LARGE, -1, false));
    }

    private void threads() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Callable<String>> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int seed = i;
            tasks.add(() -> {
                List<String> bodies = new ArrayList<>();
                for (int round = 0; round < 20; round++) {
                    InputStream in = post("/echo", 10 * seed + round, 0, false).getInputStream();
                    bodies.add(Bytes.digest(in.readAllBytes()));
                }
                return bodies.size() + " answers, " + bodies.hashCode();
            });
        }
        for (Future<String> result : threads.invokeAll(tasks)) {
            Console.say(result.get());
        }
        threads.shutdown();
    }
}
