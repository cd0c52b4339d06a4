package programs.ftp;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import programs.Bytes;
import programs.Console;

/** The JDK's own FTP client. Each URL connection has its own control connection. */
final class Urls {

    private final String server;
    private final int port;

    Urls(String server, int port) {
        this.server = server;
        this.port = port;
    }

    void converse() throws Exception {
        Console.say(server + " server, by URL: " + Bytes.digest(read(connection("/large;type=i"))));
        byte[] content = Bytes.of(7, 2_000_003);
        URLConnection upload = connection("/new;type=i");
        upload.setDoOutput(true);
        try (OutputStream out = upload.getOutputStream()) {
            out.write(content);
        }
        Console.say(Bytes.digest(read(connection("/new;type=i"))));
        String listing = new String(read(connection("/many/;type=d")), StandardCharsets.US_ASCII);
        Console.say(listing.lines().filter(line -> line.contains("file")).count() + " files");
        // The client stops reading in the middle of the file.
        try (InputStream in = connection("/large;type=i").getInputStream()) {
            Console.say(Bytes.digest(in.readNBytes(100_000)));
        }
        try {
            read(connection("/nothing;type=i"));
        } catch (FileNotFoundException e) {
            Console.say("no " + e.getMessage());
        }
        try {
            read(URI.create("ftp://user:wrong@127.0.0.1:" + port + "/large;type=i").toURL().openConnection());
        } catch (IOException e) {
            Console.say(e);
        }
    }

    private URLConnection connection(String path) throws IOException {
        return URI.create("ftp://" + Server.USER + ":" + Server.PASSWORD + "@127.0.0.1:" + port + path).toURL()
                .openConnection();
    }

    private static byte[] read(URLConnection from) throws IOException {
        from.setReadTimeout(20_000);
        try (InputStream in = from.getInputStream()) {
            return in.readAllBytes();
        }
    }
}
