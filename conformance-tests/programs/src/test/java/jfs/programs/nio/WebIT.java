package jfs.programs.nio;

import java.nio.file.Path;
import jfs.programs.harness.Keys;
import jfs.programs.harness.Program;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import programs.web.JdkClient;
import programs.web.JettyServer;
import programs.web.SocketClients;
import programs.web.TomcatServer;

/** HTTP/1.1 and HTTP/2, with TLS and without: servers on channels, and clients on channels or on sockets. */
class WebIT {

    private enum Server {
        TOMCAT(TomcatServer.class, "tomcat", "slf4j"),
        JETTY(JettyServer.class, "jetty", "slf4j");

        private final Class<?> main;
        private final String[] libraries;

        Server(Class<?> main, String... libraries) {
            this.main = main;
            this.libraries = libraries;
        }
    }

    @TempDir
    static Path folder;

    private static Keys keys;

    @BeforeAll
    static void keys() throws Exception {
        keys = new Keys(folder);
    }

    private Pair.Starting server(Server server) {
        return (how, none) -> keys.in(Program.java(how, server.main)).using(server.libraries);
    }

    @ParameterizedTest
    @EnumSource
    void theJdksClient(Server server) throws Exception {
        new Pair(server(server), (how, ports) -> keys.in(Program.java(how, JdkClient.class, ports)))
                .assertSame("done");
    }

    @Test
    void clientsOnSockets() throws Exception {
        new Pair(server(Server.TOMCAT),
                (how, ports) -> keys.in(Program.java(how, SocketClients.class, ports)).using("http", "slf4j")).assertSame("done");
    }
}
