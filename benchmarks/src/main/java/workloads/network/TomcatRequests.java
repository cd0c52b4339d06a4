package workloads.network;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/** HTTP with {@link HttpURLConnection} and Tomcat, whose connector uses channels. Connections are kept alive. */
final class TomcatRequests implements Subject {
    private static final int BYTES = 1 << 10;
    private static final int FEW_BYTES = 100;

    private static final class Answer extends HttpServlet {
        private static final long serialVersionUID = 1;

        private final int bytes;

        Answer(int bytes) {
            this.bytes = bytes;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentType("application/octet-stream");
            response.setContentLength(bytes);
            response.getOutputStream().write(new byte[bytes]);
        }
    }

    @Override
    public int serve(int port) throws Exception {
        Connector connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
        connector.setPort(port);
        connector.setProperty("address", HOST);
        connector.setProperty("maxKeepAliveRequests", "-1"); // no limit; the default needs a new connection for each hundred requests
        Path folder = Files.createTempDirectory("jfs-bench-tomcat");
        try {
            Tomcat tomcat = new Tomcat();
            tomcat.setBaseDir(folder.toString());
            tomcat.setConnector(connector);
            Context context = tomcat.addContext("", null);
            for (int bytes : new int[] {BYTES, FEW_BYTES}) {
                Tomcat.addServlet(context, "answer " + bytes, new Answer(bytes));
                context.addServletMappingDecoded("/" + bytes, "answer " + bytes, false);
            }
            tomcat.start();
        } finally {
            delete(folder); // the folder is for compiled pages, and there are none
        }
        return connector.getLocalPort();
    }

    private static void delete(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : all) {
            Files.delete(file);
        }
    }

    @Override
    public Operation operation(String name, int port) throws IOException {
        int bytes = switch (name) {
            case "get" -> BYTES;
            case "get-100" -> FEW_BYTES;
            default -> throw Subject.unknown(name);
        };
        System.setProperty("http.maxConnections", "64"); // keeps a connection for each thread
        URL url = new URL("http", HOST, port, "/" + bytes);
        return () -> {
            HttpURLConnection connection = (HttpURLConnection) url.openConnection();
            try (InputStream body = connection.getInputStream()) {
                Subject.expect(body.readAllBytes().length == bytes);
            }
        };
    }
}
