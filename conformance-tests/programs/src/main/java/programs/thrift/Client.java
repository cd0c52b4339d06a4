package programs.thrift;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.layered.TFramedTransport;
import programs.Bytes;
import programs.Console;

/** A client on Thrift's TSocket. At each port it has a few connections, each with its own thread. */
public final class Client implements AutoCloseable {

    private static final int CONNECTIONS = 3;
    private static final int CALLS = 600;
    private static final int LARGE = 2 << 20;

    private final TTransport transport;
    private final TProtocol protocol;
    private int calls;

    private Client(int port) throws TException {
        transport = new TFramedTransport(new TSocket(Console.address(), port), 2 * LARGE);
        transport.open();
        protocol = new TBinaryProtocol(transport);
    }

    /** Arguments: the ports of the servers. */
    public static void main(String[] args) throws Exception {
        Console.open();
        Console.sayProvider();
        List<Client> clients = new ArrayList<>();
        for (String port : args) {
            for (int i = 0; i < CONNECTIONS; i++) {
                clients.add(new Client(Integer.parseInt(port)));
            }
        }
        Console.untilTold(() -> {
            for (Client each : clients) {
                each.echo(10);
            }
            return null;
        });
        ExecutorService threads = Executors.newFixedThreadPool(clients.size());
        List<Callable<String>> tasks = new ArrayList<>();
        clients.forEach(each -> tasks.add(each::work));
        for (Future<String> result : threads.invokeAll(tasks)) {
            Console.say(result.get());
        }
        threads.shutdown();
        clients.forEach(Client::close);
        Console.say("done");
    }

    private String work() throws TException {
        long bytes = 0;
        for (int i = 0; i < CALLS; i++) {
            bytes += echo(i * 37 % 3000);
        }
        bytes += echo(LARGE);
        return CALLS + " calls and a large one, " + bytes + " bytes";
    }

    private int echo(int length) throws TException {
        byte[] expected = Bytes.of(length, length);
        byte[] came = Echo.call(protocol, ++calls, expected);
        if (!Arrays.equals(expected, came)) {
            throw new AssertionError(Bytes.digest(came) + " instead of " + Bytes.digest(expected));
        }
        return came.length;
    }

    @Override
    public void close() {
        transport.close();
    }
}
