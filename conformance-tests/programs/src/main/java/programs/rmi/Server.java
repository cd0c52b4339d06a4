package programs.rmi;

import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.rmi.server.Unreferenced;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import programs.Console;

/** The RMI server. The process ends by itself when none of its objects is exported any more. */
public final class Server implements Service {

    private final Way way;
    private final Map<String, Counted> tickets = new ConcurrentHashMap<>();

    private Server(Way way) {
        this.way = way;
    }

    /**
     * Arguments: the port of a registry on this host, or 0 to make a registry in this process; then the ways of making
     * sockets. The server exports one service for each way and binds it under the way's name.
     */
    public static void main(String[] args) throws Exception {
        Console.open();
        int port = Integer.parseInt(args[0]);
        Registry registry = port == 0 ? RegistryProcess.create() : LocateRegistry.getRegistry(Console.address(), port);
        List<Server> servers = Arrays.stream(args).skip(1).map(way -> new Server(Way.valueOf(way))).toList();
        for (Server server : servers) {
            registry.bind(server.way.name(), server.export(server));
        }
        Console.say("bound");
        Console.awaitTold();
        for (Server server : servers) {
            server.stop(registry);
        }
        if (port == 0) {
            UnicastRemoteObject.unexportObject(registry, true);
        }
        Console.say("stopped");
    }

    private Remote export(Remote object) throws RemoteException {
        return UnicastRemoteObject.exportObject(object, 0, way.client(), way.server());
    }

    @Override
    public int increment(int n) {
        return n + 1;
    }

    @Override
    public byte[] echo(byte[] bytes) {
        return bytes;
    }

    @Override
    public String relay(Callback callback, String text) throws RemoteException {
        return "client says: " + callback.call("server says: " + text);
    }

    @Override
    public void fail(String how) throws Problem {
        try {
            throw new IllegalStateException(how);
        } catch (IllegalStateException e) {
            throw new Problem("it did not work", 42, e);
        }
    }

    @Override
    public Ticket ticket(String name) throws RemoteException {
        Counted ticket = new Counted(name, new CountDownLatch(1));
        tickets.put(name, ticket);
        return (Ticket) export(ticket);
    }

    private record Counted(String name, CountDownLatch gone) implements Ticket, Unreferenced {
        @Override
        public void unreferenced() {
            gone.countDown();
        }
    }

    @Override
    public boolean unreferenced(String name) throws RemoteException {
        try {
            return tickets.get(name).gone.await(50, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new RemoteException("interrupted", e);
        }
    }

    private void stop(Registry registry) throws RemoteException, NotBoundException {
        registry.unbind(way.name());
        UnicastRemoteObject.unexportObject(this, true);
        for (Counted ticket : tickets.values()) {
            UnicastRemoteObject.unexportObject(ticket, true);
        }
    }
}
