package programs.jdbc;

import java.io.PrintWriter;
import org.hsqldb.server.Server;
import programs.Console;

/** An HSQLDB server with a database in memory. */
public final class Hsqldb {

    private Hsqldb() {
    }

    public static void main(String[] args) throws Exception {
        Console.open();
        Server server = new Server();
        server.setAddress("127.0.0.1");
        server.setPort(0);
        server.setDatabaseName(0, "test");
        server.setDatabasePath(0, "mem:test");
        server.setLogWriter(null);
        server.setErrWriter(new PrintWriter(System.err, true));
        server.start();
        Console.sayPort(server.getLocalPort());
        Console.awaitEnd();
        server.stop();
    }
}
