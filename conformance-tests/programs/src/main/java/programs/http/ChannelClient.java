package programs.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import programs.Bytes;
import programs.Console;

/** A client on the JDK's own HTTP client, which uses channels. */
public final class ChannelClient {

    private static final int LARGE = 256 << 10;
    private static final int AT_ONCE = 40;

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NORMAL).connectTimeout(Duration.ofSeconds(30)).build();
    private final Control control;
    private final String site;

    private ChannelClient(Control control, String site) {
        this.control = control;
        this.site = site;
    }

    /** Arguments: the name of the provider's class, the control's port, then the URLs of the sites. */
    public static void main(String[] args) throws Exception {
        Console.open();
        if (!SelectorProvider.provider().getClass().getName().equals(args[0])) {
            Console.say("the provider is " + SelectorProvider.provider());
        }
        Control control = new Control(Integer.parseInt(args[1]));
        List<ChannelClient> clients = new ArrayList<>();
        for (int i = 2; i < args.length; i++) {
            clients.add(new ChannelClient(control, args[i]));
        }
        Console.untilTold(() -> {
            for (ChannelClient each : clients) {
                each.client.send(each.to("/hello").build(), BodyHandlers.discarding());
            }
            return null;
        });
        for (ChannelClient it : clients) {
            Console.say("-- " + it.site.replaceFirst(":.*", ""));
            it.bodies();
            it.failures();
            it.atOnce();
            it.cancel();
        }
        Console.say("closed");
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create(site + path)).timeout(Duration.ofSeconds(60));
    }

    private HttpRequest post(String path, int length, boolean expecting) {
        return to(path).POST(BodyPublishers.ofByteArray(Bytes.of(length, length))).expectContinue(expecting).build();
    }

    private static String text(HttpResponse<byte[]> response) {
        byte[] body = response.body();
        return response.statusCode() + ", " + (body.length < 100 ? new String(body, StandardCharsets.UTF_8) : Bytes.digest(body));
    }

    private void say(HttpRequest request) throws InterruptedException {
        try {
            Console.say(text(client.send(request, BodyHandlers.ofByteArray())));
        } catch (IOException e) {
            Console.say(e.getClass().getName());
        }
    }

    private void bodies() throws InterruptedException {
        say(to("/hello").build());
        say(post("/digest", 0, false));
        say(post("/digest", LARGE, false));
        say(post("/echo", LARGE, false));
        say(post("/digest", LARGE, true));
        say(to("/large").build());
        say(to("/chunks").build());
    }

    private void failures() throws Exception {
        say(to("/missing").build());
        say(to("/failing").build());
        say(to("/moved").build());
        say(to("/cut").build());
        say(to("/late").timeout(Duration.ofMillis(200)).build());
        control.ask("await");
        control.ask("release");
        say(to("/hello").build());
    }

    private void atOnce() throws Exception {
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            answers.add(client.sendAsync(post("/echo", 1_000 * i, false), BodyHandlers.ofByteArray()).thenApply(ChannelClient::text));
        }
        for (CompletableFuture<String> answer : answers) {
            Console.say(answer.get());
        }
    }

    private void cancel() throws Exception {
        CompletableFuture<HttpResponse<byte[]>> late = client.sendAsync(to("/late").build(), BodyHandlers.ofByteArray());
        control.ask("await");
        late.cancel(true);
        control.ask("release");
        try {
            Console.say(text(late.get()));
        } catch (CancellationException | ExecutionException e) {
            Console.say("cancelled");
        }
        say(to("/hello").build());
    }
}
