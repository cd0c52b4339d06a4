package workloads.network;

import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/** Reads of a ZooKeeper server that stands alone: channels at both ends. The client has one session and waits for each answer. */
final class ZooKeeperReads implements Subject {
    private static final int BYTES = 100;
    private static final int TICK_MILLIS = 2000;
    private static final int SESSION_MILLIS = 30_000;
    private static final int CONNECTIONS_MOST = 60;
    private static final String NODE = "/node";

    private Path folder;

    @Override
    public void keepFilesIn(Path folder) {
        this.folder = folder;
    }

    @Override
    public int serve(int port) throws Exception {
        System.setProperty("zookeeper.admin.enableServer", "false"); // an HTTP server beside it
        Files.createDirectories(folder);
        NIOServerCnxnFactory connections = new NIOServerCnxnFactory();
        connections.configure(new InetSocketAddress(HOST, port), CONNECTIONS_MOST);
        connections.startup(new ZooKeeperServer(folder.toFile(), folder.toFile(), TICK_MILLIS));
        return connections.getLocalPort();
    }

    @Override
    public Operation operation(String name, int port) throws Exception {
        if (!name.equals("read")) {
            throw Subject.unknown(name);
        }
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper session = new ZooKeeper(HOST + ":" + port, SESSION_MILLIS, event -> {
            if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        connected.await();
        session.create(NODE, new byte[BYTES], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
        return () -> Subject.expect(session.getData(NODE, false, null).length == BYTES);
    }
}
