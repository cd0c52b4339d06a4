package programs.thrift;

import java.net.InetSocketAddress;
import java.util.List;
import org.apache.thrift.server.THsHaServer;
import org.apache.thrift.server.TNonblockingServer;
import org.apache.thrift.server.TServer;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.apache.thrift.transport.TTransportException;
import programs.Console;

/** The two servers of Thrift whose connections are channels: one thread does all, or hands the calls to others. */
public final class Server {

    private Server() {
    }

    /** Writes two ports: of TNonblockingServer, of THsHaServer. */
    public static void main(String[] args) throws Exception {
        Console.open();
        Console.sayProvider();
        TNonblockingServerSocket one = listener();
        TNonblockingServerSocket other = listener();
        List<TServer> servers = List.of(new TNonblockingServer(new TNonblockingServer.Args(one).processor(new Echo())),
                new THsHaServer(new THsHaServer.Args(other).processor(new Echo()).minWorkerThreads(3).maxWorkerThreads(3)));
        List<Thread> threads = servers.stream().map(server -> new Thread(server::serve)).toList();
        threads.forEach(Thread::start);
        Console.say("port " + one.getPort() + " " + other.getPort());
        Console.awaitTold();
        servers.forEach(TServer::stop);
        for (Thread each : threads) {
            each.join();
        }
        Console.say("stopped");
    }

    private static TNonblockingServerSocket listener() throws TTransportException {
        return new TNonblockingServerSocket(new InetSocketAddress(Console.address(), 0));
    }
}
