package programs.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import programs.Bytes;
import programs.Console;

/** Clients on sockets: HttpURLConnection, and the classic client of Apache's HttpClient. Each works without TLS and with it. */
public final class SocketClients {

    private static final int ONE_BY_ONE = 150;
    private static final int THREADS = 4; // the number of connections that HttpURLConnection keeps alive
    private static final int OF_EACH_THREAD = 25;
    private static final int LARGE = 1 << 20;

    /** An answer, and the client's port that the server has seen. */
    private record Answer(byte[] body, String port) {
    }

    private interface Client {
        /** @param body null for GET */
        Answer ask(String url, byte[] body) throws IOException;
    }

    private final String site;
    private final Client client;

    private SocketClients(String site, Client client) {
        this.site = site;
        this.client = client;
    }

    /** Arguments: the port without TLS, the port with TLS. */
    public static void main(String[] args) throws Exception {
        Console.open();
        Console.sayProvider();
        try (CloseableHttpClient pool = HttpClients.custom().setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                .setTlsSocketStrategy(DefaultClientTlsStrategy.createSystemDefault())
                .setMaxConnPerRoute(THREADS).build()).build()) {
            List<SocketClients> all = new ArrayList<>();
            for (String site : List.of("http://" + Console.address() + ":" + args[0], "https://" + Console.address() + ":" + args[1])) {
                all.add(new SocketClients(site, SocketClients::byUrl));
                all.add(new SocketClients(site, (url, body) -> byPool(pool, url, body)));
            }
            Console.untilTold(() -> {
                for (SocketClients each : all) {
                    each.ask(5, true);
                }
                return null;
            });
            for (SocketClients each : all) {
                Console.say("-- " + each.site.replaceFirst(":.*", ""));
                each.oneByOne();
                each.byThreads();
                each.large();
            }
        }
        Console.say("done");
    }

    private static Answer byUrl(String url, byte[] body) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) new URL(url).openConnection();
        connection.setReadTimeout(60_000);
        if (body != null) {
            connection.setDoOutput(true);
            connection.setFixedLengthStreamingMode(body.length);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(body);
            }
        }
        try (InputStream in = connection.getInputStream()) {
            return new Answer(in.readAllBytes(), connection.getHeaderField("Client-Port"));
        }
    }

    private static Answer byPool(CloseableHttpClient pool, String url, byte[] body) throws IOException {
        HttpUriRequestBase request = body == null ? new HttpGet(url) : new HttpPost(url);
        if (body != null) {
            request.setEntity(new ByteArrayEntity(body, ContentType.APPLICATION_OCTET_STREAM));
        }
        return pool.execute(request, response -> new Answer(EntityUtils.toByteArray(response.getEntity()),
                response.getFirstHeader("Client-Port").getValue()));
    }

    /** Returns the answer, if it has the right bytes. */
    private Answer ask(int length, boolean post) throws IOException {
        byte[] bytes = Bytes.of(length, length);
        Answer answer = client.ask(site + (post ? "/echo" : "/bytes/" + length), post ? bytes : null);
        if (!Arrays.equals(bytes, answer.body)) {
            throw new AssertionError(Bytes.digest(answer.body) + " for " + length);
        }
        return answer;
    }

    private void oneByOne() throws IOException {
        Set<String> ports = new HashSet<>();
        long bytes = 0;
        for (int i = 0; i < ONE_BY_ONE; i++) {
            Answer answer = ask(i * 37 % 3000, i % 2 != 0);
            bytes += answer.body.length;
            ports.add(answer.port);
        }
        Console.say(ONE_BY_ONE + " answers, " + bytes + " bytes, connections: " + ports.size());
    }

    private void byThreads() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Callable<Long>> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int seed = i;
            tasks.add(() -> {
                long bytes = 0;
                for (int round = 0; round < OF_EACH_THREAD; round++) {
                    bytes += ask(400 * round + seed, round % 2 == 0).body.length;
                }
                return bytes;
            });
        }
        for (Future<Long> result : threads.invokeAll(tasks)) {
            Console.say(OF_EACH_THREAD + " answers, " + result.get() + " bytes");
        }
        threads.shutdown();
    }

    private void large() throws IOException {
        Console.say(Bytes.digest(ask(LARGE, false).body));
        Console.say(Bytes.digest(ask(LARGE, true).body));
        Console.say(Bytes.digest(client.ask(site + "/file", null).body));
    }
}
