package programs.http;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import programs.Bytes;
import programs.Console;

/** A client on Apache's HttpClient, which takes its connections from a pool. */
public final class PoolClient {

    private static final int CONNECTIONS = 4;
    private static final int THREADS = 12;
    private static final int LARGE = 256 << 10;

    private final Control control;
    private final String site;
    private final PoolingHttpClientConnectionManager pool;
    private final CloseableHttpClient client;
    private String clientPort = "";

    private PoolClient(Control control, String site) {
        this.control = control;
        this.site = site;
        pool = pool(TimeValue.ZERO_MILLISECONDS);
        client = over(pool).build();
    }

    /** @param validateAfter a connection that has been idle for longer than this is checked before its next request */
    private static PoolingHttpClientConnectionManager pool(TimeValue validateAfter) {
        return PoolingHttpClientConnectionManagerBuilder.create().setMaxConnTotal(CONNECTIONS)
                .setMaxConnPerRoute(CONNECTIONS).setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(Timeout.ofSeconds(30)).setSocketTimeout(Timeout.ofSeconds(30))
                        .setValidateAfterInactivity(validateAfter).build())
                .build();
    }

    private static HttpClientBuilder over(PoolingHttpClientConnectionManager pool) {
        return HttpClients.custom().setConnectionManager(pool).disableAutomaticRetries().disableContentCompression();
    }

    /** Arguments: the control's port, then the URLs of the sites. */
    public static void main(String[] args) throws Exception {
        Console.open();
        Control control = new Control(Integer.parseInt(args[0]));
        List<PoolClient> clients = Arrays.stream(args).skip(1).map(url -> new PoolClient(control, url)).toList();
        Console.untilTold(() -> {
            for (PoolClient each : clients) {
                each.client.execute(each.get("/hello"), each::read);
            }
            return null;
        });
        for (PoolClient each : clients) {
            Console.say("-- " + each.site.replaceFirst(":.*", ""));
            each.reuse();
            each.bodies();
            each.failures();
            each.leases();
            each.threads();
            each.eviction();
            each.cancel();
            each.closedByServer();
            each.client.close();
        }
        Console.say("closed");
    }

    private HttpUriRequestBase get(String path) {
        return new HttpGet(site + path);
    }

    private HttpUriRequestBase post(String path, int length, boolean chunked) {
        HttpPost post = new HttpPost(site + path);
        post.setEntity(new ByteArrayEntity(Bytes.of(length, length), ContentType.APPLICATION_OCTET_STREAM, chunked));
        return post;
    }

    /** The answer, and whether it came by the same connection as the answer before. */
    private String read(ClassicHttpResponse response) throws IOException {
        byte[] body = EntityUtils.toByteArray(response.getEntity());
        String before = clientPort;
        clientPort = response.getFirstHeader("Client-Port").getValue();
        return response.getCode() + " " + response.getReasonPhrase() + ", "
                + (body.length < 100 ? new String(body, StandardCharsets.UTF_8) : Bytes.digest(body))
                + (clientPort.equals(before) ? "" : ", by another connection");
    }

    private void say(HttpUriRequestBase request) {
        say(client, request);
    }

    private void say(CloseableHttpClient by, HttpUriRequestBase request) {
        try {
            Console.say(by.execute(request, this::read));
        } catch (IOException e) {
            Console.say(e.getClass().getName());
        }
    }

    private void sayPool() {
        Console.say("leased " + pool.getTotalStats().getLeased() + ", available "
                + pool.getTotalStats().getAvailable());
    }

    private void reuse() {
        for (int i = 0; i < 5; i++) {
            say(get("/hello"));
        }
        sayPool();
    }

    private void bodies() {
        say(post("/digest", 0, false));
        say(post("/digest", LARGE, false));
        say(post("/digest", LARGE, true));
        say(post("/echo", LARGE, true));
        say(get("/large"));
        say(get("/chunks"));
        HttpUriRequestBase expecting = post("/digest", LARGE, true);
        expecting.setConfig(RequestConfig.custom().setExpectContinueEnabled(true).build());
        say(expecting);
    }

    private void failures() throws IOException {
        say(get("/missing"));
        say(get("/failing"));
        say(get("/moved"));
        say(get("/cut"));
        HttpUriRequestBase late = get("/late");
        late.setConfig(RequestConfig.custom().setResponseTimeout(Timeout.ofMilliseconds(200)).build());
        say(late);
        control.ask("await");
        control.ask("release");
        sayPool();
        say(get("/hello"));
    }

    /** When all connections of the pool are in use the next request has to wait. */
    private void leases() throws IOException {
        HttpUriRequestBase impatient = get("/hello");
        impatient.setConfig(RequestConfig.custom().setConnectionRequestTimeout(Timeout.ofMilliseconds(100)).build());
        List<ClassicHttpResponse> open = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            open.add(client.executeOpen(HttpHost.create(URI.create(site)), get("/large"), null));
        }
        sayPool();
        say(impatient);
        for (ClassicHttpResponse response : open) {
            Console.say(Bytes.digest(EntityUtils.toByteArray(response.getEntity())));
            response.close();
        }
        sayPool();
        say(impatient);
    }

    private void threads() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        Set<String> ports = ConcurrentHashMap.newKeySet();
        List<Callable<String>> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int seed = i;
            tasks.add(() -> {
                List<String> bodies = new ArrayList<>();
                for (int round = 0; round < 20; round++) {
                    bodies.add(client.execute(post("/echo", 100 * seed + round, round % 2 == 0), response -> {
                        ports.add(response.getFirstHeader("Client-Port").getValue());
                        return Bytes.digest(EntityUtils.toByteArray(response.getEntity()));
                    }));
                }
                return bodies.size() + " answers, " + bodies.hashCode();
            });
        }
        for (Future<String> result : threads.invokeAll(tasks)) {
            Console.say(result.get());
        }
        threads.shutdown();
        Console.say("by no more connections than there are: " + (ports.size() <= CONNECTIONS));
    }

    private void eviction() {
        pool.closeIdle(TimeValue.ZERO_MILLISECONDS);
        sayPool();
        clientPort = "";
        say(get("/hello"));
        sayPool();
    }

    /** One thread waits for the answer. Another thread cancels the request. */
    private void cancel() throws Exception {
        HttpUriRequestBase late = get("/late");
        Thread waiting = new Thread(() -> {
            try {
                Console.say(client.execute(late, this::read));
            } catch (IOException e) {
                Console.say("cancelled"); // HttpClient's message depends on the place where it notices the cancellation
            }
        }, "waiting");
        waiting.start();
        control.ask("await");
        late.cancel();
        waiting.join();
        control.ask("release");
        sayPool();
    }

    /**
     * The server closes connections while they are idle. The client finds that out before the next request, or by that
     * request.
     */
    private void closedByServer() throws IOException {
        say(get("/hello"));
        control.ask("close");
        say(get("/hello"));
        try (PoolingHttpClientConnectionManager blind = pool(TimeValue.NEG_ONE_MILLISECOND);
                CloseableHttpClient hasty = over(blind).build()) {
            say(hasty, get("/hello"));
            control.ask("close");
            say(hasty, get("/hello"));
            say(hasty, get("/hello"));
        }
    }
}
