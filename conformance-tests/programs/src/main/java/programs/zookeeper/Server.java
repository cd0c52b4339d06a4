package programs.zookeeper;

import java.net.InetSocketAddress;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import programs.Console;
import programs.Folder;

/** A ZooKeeper server that has no other servers. */
public final class Server {

    private static final int TICK = 3000;

    private Server() {
    }

    /** Writes its port. */
    public static void main(String[] args) throws Exception {
        Console.open();
        Console.sayProvider();
        try (Folder folder = new Folder()) {
            ZooKeeperServer server = new ZooKeeperServer(folder.path().toFile(), folder.path().toFile(), TICK);
            NIOServerCnxnFactory connections = new NIOServerCnxnFactory();
            connections.configure(new InetSocketAddress(Console.address(), 0), 0);
            connections.startup(server);
            Console.sayPort(connections.getLocalPort());
            Console.awaitTold();
            connections.shutdown();
            server.shutdown(true);
        }
        Console.say("stopped");
    }
}
