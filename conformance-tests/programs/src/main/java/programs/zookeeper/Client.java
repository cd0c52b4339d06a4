package programs.zookeeper;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.Stat;
import programs.Bytes;
import programs.Console;

/** Two sessions of ZooKeeper. One of them changes nodes, the other one watches. */
public final class Client {

    private static final int NODES = 300;
    private static final int AT_ONCE = 500;
    private static final int LARGE = 1_000_000;
    private static final int SESSION = 60_000;

    private final String address;
    private final ZooKeeper keeper;
    private final ZooKeeper other;
    private final BlockingQueue<WatchedEvent> seen = new LinkedBlockingQueue<>();

    private Client(String address) throws Exception {
        this.address = address;
        keeper = connect();
        other = connect();
    }

    /** Argument: the server's port. */
    public static void main(String[] args) throws Exception {
        Console.open();
        Console.sayProvider();
        Client it = new Client(Console.address() + ":" + args[0]);
        Console.untilTold(() -> List.of(it.keeper.exists("/", false), it.other.exists("/", false)));
        it.nodes();
        it.watches();
        it.large();
        it.atOnce();
        it.failures();
        it.sessionEnds();
        it.other.close();
        Console.say("done");
    }

    private ZooKeeper connect() throws Exception {
        CompletableFuture<Void> connected = new CompletableFuture<>();
        ZKClientConfig configuration = new ZKClientConfig();
        configuration.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "false");
        ZooKeeper session = new ZooKeeper(address, SESSION, event -> {
            if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                connected.complete(null);
            }
        }, configuration);
        connected.get(60, TimeUnit.SECONDS);
        return session;
    }

    private static void create(ZooKeeper by, String path, byte[] bytes, CreateMode mode) throws Exception {
        by.create(path, bytes, ZooDefs.Ids.OPEN_ACL_UNSAFE, mode);
    }

    private static void check(byte[] expected, byte[] came) {
        if (!Arrays.equals(expected, came)) {
            throw new AssertionError(Bytes.digest(came) + " instead of " + Bytes.digest(expected));
        }
    }

    private void nodes() throws Exception {
        create(keeper, "/nodes", new byte[0], CreateMode.PERSISTENT);
        for (int i = 0; i < NODES; i++) {
            create(keeper, "/nodes/" + i, Bytes.of(i, 10 * i), CreateMode.PERSISTENT);
            check(Bytes.of(i, 10 * i), other.getData("/nodes/" + i, false, new Stat()));
        }
        Console.say(other.getChildren("/nodes", false).size() + " nodes, each read by the other session");
        List<Op> changes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            changes.add(i % 2 == 0 ? Op.delete("/nodes/" + i, 0) : Op.setData("/nodes/" + i, Bytes.of(i, 5), 0));
        }
        Console.say(keeper.multi(changes).size() + " changes in one transaction, nodes: "
                + keeper.getChildren("/nodes", false).size());
    }

    private void watches() throws Exception {
        for (int i = 1; i < NODES; i += 2) {
            Stat stat = new Stat();
            check(Bytes.of(i, 5), other.getData("/nodes/" + i, seen::add, stat));
            keeper.setData("/nodes/" + i, Bytes.of(i, 6), stat.getVersion());
            WatchedEvent event = seen.poll(60, TimeUnit.SECONDS);
            if (event == null || event.getType() != Watcher.Event.EventType.NodeDataChanged || !event.getPath().equals("/nodes/" + i)) {
                throw new AssertionError(event);
            }
        }
        Console.say("all changes were seen");
    }

    private void large() throws Exception {
        create(keeper, "/large", Bytes.of(1, LARGE), CreateMode.PERSISTENT);
        Console.say(Bytes.digest(other.getData("/large", false, new Stat())));
    }

    /** Sends all requests before it waits for the first answer. */
    private void atOnce() throws Exception {
        List<CompletableFuture<byte[]>> answers = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            CompletableFuture<byte[]> answer = new CompletableFuture<>();
            answers.add(answer);
            int node = 1 + 2 * (i % (NODES / 2));
            keeper.getData("/nodes/" + node, false, (result, path, context, bytes, stat) -> answer.complete(bytes), null);
        }
        for (int i = 0; i < AT_ONCE; i++) {
            check(Bytes.of(1 + 2 * (i % (NODES / 2)), 6), answers.get(i).get(60, TimeUnit.SECONDS));
        }
        Console.say(AT_ONCE + " at once");
    }

    private void failures() throws Exception {
        try {
            keeper.getData("/nothing", false, new Stat());
        } catch (KeeperException e) {
            Console.say(e);
        }
        try {
            keeper.setData("/large", new byte[0], 7);
        } catch (KeeperException e) {
            Console.say(e);
        }
    }

    /** An ephemeral node goes with its session. */
    private void sessionEnds() throws Exception {
        create(keeper, "/mine", new byte[1], CreateMode.EPHEMERAL);
        other.exists("/mine", seen::add);
        keeper.close();
        Console.say(seen.poll(60, TimeUnit.SECONDS).getType() + ", left: " + other.exists("/mine", false));
    }
}
