package programs.web;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import programs.Console;
import programs.Folder;

/** The site on Tomcat, whose connector is the one on channels. */
public final class TomcatServer {

    private static final Logger LOG = Logger.getLogger("org.apache");

    private TomcatServer() {
    }

    /** Writes two ports: without TLS and with TLS. */
    public static void main(String[] args) throws Exception {
        Console.open();
        Console.sayProvider();
        LOG.setLevel(Level.SEVERE); // other lines of Tomcat's log differ from run to run
        try (Folder folder = new Folder()) {
            Path file = Files.write(folder.path().resolve("file"), Site.file());
            Tomcat tomcat = new Tomcat();
            tomcat.setBaseDir(folder.path().toString());
            Connector plain = connector();
            Connector tls = connector();
            secure(tls);
            for (Connector each : List.of(plain, tls)) {
                tomcat.getService().addConnector(each);
            }
            Context context = tomcat.addContext("", null);
            Tomcat.addServlet(context, "site", new Servlet(file));
            context.addServletMappingDecoded("/", "site");
            tomcat.start();
            Console.say("port " + plain.getLocalPort() + " " + tls.getLocalPort());
            Console.awaitTold();
            tomcat.stop();
            tomcat.destroy();
        }
        Console.say("stopped");
    }

    private static Connector connector() {
        Connector connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
        connector.setProperty("address", Console.address());
        connector.setPort(0);
        connector.setProperty("maxKeepAliveRequests", "-1");
        connector.addUpgradeProtocol(new Http2Protocol());
        return connector;
    }

    private static void secure(Connector connector) {
        System.clearProperty("javax.net.ssl.trustStore"); // Tomcat refuses a store of keys alone; the server asks for no certificates
        connector.setSecure(true);
        connector.setScheme("https");
        connector.setProperty("SSLEnabled", "true");
        SSLHostConfig host = new SSLHostConfig();
        SSLHostConfigCertificate certificate = new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.UNDEFINED);
        certificate.setCertificateKeystoreFile(System.getProperty("javax.net.ssl.keyStore"));
        certificate.setCertificateKeystorePassword(System.getProperty("javax.net.ssl.keyStorePassword"));
        host.addCertificate(certificate);
        connector.addSslHostConfig(host);
    }

    /** Serves the site. Tomcat sends the file by sendfile where it can. */
    private static final class Servlet extends HttpServlet {

        private static final long serialVersionUID = 1;

        private final transient Path file;

        Servlet(Path file) {
            this.file = file;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            byte[] body = request.getInputStream().readAllBytes();
            String path = request.getServletPath();
            response.setHeader("Client-Port", "" + request.getRemotePort());
            if (path.equals("/file") && Boolean.TRUE.equals(request.getAttribute("org.apache.tomcat.sendfile.support"))) {
                response.setHeader("Sent-By", "sendfile");
                response.setContentLength(Site.FILE);
                request.setAttribute("org.apache.tomcat.sendfile.filename", file.toString());
                request.setAttribute("org.apache.tomcat.sendfile.start", 0L);
                request.setAttribute("org.apache.tomcat.sendfile.end", (long) Site.FILE);
                return;
            }
            byte[] answer = Site.answer(path, body);
            response.setContentLength(answer.length);
            response.getOutputStream().write(answer);
        }
    }
}
