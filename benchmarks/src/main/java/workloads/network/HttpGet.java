package workloads.network;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** The JDK's HTTP client {@code java.net.http}, whose connections are channels. It keeps its connection alive. */
final class HttpGet {
    /** The length of the body, of all servers that are asked by this client. */
    static final int BYTES = 100;

    private HttpGet() {}

    static Subject.Operation operation(String name, int port) {
        if (!name.equals("get")) {
            throw Subject.unknown(name);
        }
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + Subject.HOST + ":" + port + "/")).build();
        return () -> {
            HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            Subject.expect(answer.statusCode() == 200 && answer.body().length == BYTES);
        };
    }
}
