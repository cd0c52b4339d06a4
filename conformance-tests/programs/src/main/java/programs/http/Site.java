package programs.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Semaphore;
import programs.Bytes;

/** The contents of the site. They are the same for both HTTP servers. */
final class Site {

    private static final int LARGE = 1 << 20;

    private final Semaphore asked = new Semaphore(0);
    private final Semaphore released = new Semaphore(0);

    /** @param framing how the request tells the length of its body */
    record Request(String method, String path, String framing, InputStream body) {
    }

    /**
     * @param promised the length that the answer's header tells, or -1 for chunks. If the body is shorter than that,
     *     the server cuts the connection
     */
    record Answer(int status, Map<String, String> headers, byte[] body, int promised) {

        Answer(int status, byte[] body) {
            this(status, Map.of(), body, body.length);
        }

        Answer(int status, String text) {
            this(status, text.getBytes(StandardCharsets.UTF_8));
        }

        boolean isCut() {
            return promised > body.length;
        }
    }

    Answer answer(Request request) throws IOException {
        byte[] body = request.body.readAllBytes();
        return switch (request.path) {
            case "/hello" -> new Answer(200, "hello");
            case "/digest" -> new Answer(200, request.method + " " + request.framing + " " + Bytes.digest(body));
            case "/echo" -> new Answer(200, Map.of(), body, -1);
            case "/large" -> new Answer(200, Bytes.of(1, LARGE));
            case "/chunks" -> new Answer(200, Map.of(), Bytes.of(2, LARGE), -1);
            case "/moved" -> new Answer(302, Map.of("Location", "/hello"), new byte[10], 10);
            case "/failing" -> new Answer(500, "it did not work");
            case "/cut" -> new Answer(200, Map.of(), Bytes.of(3, LARGE), 2 * LARGE);
            case "/late" -> {
                asked.release();
                released.acquireUninterruptibly();
                yield new Answer(200, "late");
            }
            default -> new Answer(404, "there is no " + request.path);
        };
    }

    /** Returns when a client waits for "/late". */
    void awaitLate() {
        asked.acquireUninterruptibly();
    }

    /** Lets the server answer the request for "/late". */
    void release() {
        released.release();
    }
}
