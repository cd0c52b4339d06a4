package programs.jdbc;

import org.h2.tools.Server;
import programs.Console;

/** An H2 server for databases in memory. */
public final class H2 {

    private H2() {
    }

    public static void main(String[] args) throws Exception {
        Console.open();
        System.setProperty("h2.bindAddress", Console.address());
        Server server = Server.createTcpServer("-tcpPort", "0", "-tcpAllowOthers", "-ifNotExists").start();
        Console.sayPort(server.getPort());
        Console.awaitEnd();
        server.stop();
    }
}
