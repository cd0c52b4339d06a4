package programs.web;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import programs.Bytes;
import programs.Console;

/** A client on {@code java.net.http}: by HTTP/1.1 and HTTP/2, without TLS and with it. */
public final class JdkClient {

    private static final int ONE_BY_ONE = 150;
    private static final int ROUNDS = 6;
    private static final int AT_ONCE = 16;
    private static final int LARGE = 1 << 20;

    private final HttpClient client;
    private final String site;

    private JdkClient(HttpClient.Version version, String site) {
        client = HttpClient.newBuilder().version(version).connectTimeout(Duration.ofSeconds(60)).build();
        this.site = site;
    }

    /** Arguments: the port without TLS, the port with TLS. */
    public static void main(String[] args) throws Exception {
        Console.open();
        Console.sayProvider();
        List<JdkClient> clients = new ArrayList<>();
        for (HttpClient.Version version : HttpClient.Version.values()) {
            clients.add(new JdkClient(version, "http://" + Console.address() + ":" + args[0]));
            clients.add(new JdkClient(version, "https://" + Console.address() + ":" + args[1]));
        }
        Console.untilTold(() -> {
            for (JdkClient each : clients) {
                each.send(each.get(5));
            }
            return null;
        });
        for (JdkClient each : clients) {
            Console.say("-- " + each.client.version() + ", " + each.site.replaceFirst(":.*", ""));
            each.oneByOne();
            each.atOnce();
            each.large();
        }
        Console.say("done");
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create(site + path)).timeout(Duration.ofSeconds(60));
    }

    private HttpRequest get(int length) {
        return to("/bytes/" + length).build();
    }

    private HttpRequest post(int length) {
        return to("/echo").POST(BodyPublishers.ofByteArray(Bytes.of(length, length))).build();
    }

    /** Returns the body if it is as long as it should be and has the right bytes. Each answer consists of bytes that its length tells. */
    private byte[] checked(HttpResponse<byte[]> response, int length) {
        if (response.statusCode() != 200 || response.version() != client.version()
                || !Arrays.equals(Bytes.of(length, length), response.body())) {
            throw new AssertionError(response + ", " + response.version() + ", " + Bytes.digest(response.body()) + " for " + length);
        }
        return response.body();
    }

    private HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, BodyHandlers.ofByteArray());
    }

    private void oneByOne() throws Exception {
        Set<String> ports = new HashSet<>();
        long bytes = 0;
        for (int i = 0; i < ONE_BY_ONE; i++) {
            int length = i * 37 % 3000;
            HttpResponse<byte[]> response = send(i % 2 == 0 ? get(length) : post(length));
            bytes += checked(response, length).length;
            ports.add(response.headers().firstValue("Client-Port").orElseThrow());
        }
        Console.say(ONE_BY_ONE + " answers, " + bytes + " bytes, connections: " + ports.size());
    }

    private void atOnce() throws Exception {
        long bytes = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<CompletableFuture<byte[]>> answers = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
                int length = 1000 * i + round;
                HttpRequest request = i % 2 == 0 ? get(length) : post(length);
                answers.add(client.sendAsync(request, BodyHandlers.ofByteArray()).thenApply(response -> checked(response, length)));
            }
            for (CompletableFuture<byte[]> answer : answers) {
                bytes += answer.get().length;
            }
        }
        Console.say(ROUNDS + " times " + AT_ONCE + " answers, " + bytes + " bytes");
    }

    private void large() throws Exception {
        Console.say(Bytes.digest(checked(send(get(LARGE)), LARGE)));
        Console.say(Bytes.digest(checked(send(post(LARGE)), LARGE)));
        for (int i = 0; i < 3; i++) {
            HttpResponse<byte[]> file = send(to("/file").build());
            Console.say(Bytes.digest(checked(file, Site.FILE)) + file.headers().firstValue("Sent-By").map(way -> " by " + way).orElse(""));
        }
    }
}
