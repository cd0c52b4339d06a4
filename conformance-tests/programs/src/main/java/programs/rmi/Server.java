package programs.rmi;

import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.rmi.server.Unreferenced;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import programs.Console;

/** Ends by itself when nothing of it is on the network any more. */
public final class Server implements Service {

    private final Registry registry;
    private final boolean ownRegistry;
    private final Map<String, Counted> tickets = new ConcurrentHashMap<>();

    private Server(Registry registry, boolean ownRegistry) {
        this.registry = registry;
        this.ownRegistry = ownRegistry;
    }

    /** Arguments: the port of a registry on this host, or none for one of its own. */
    public static void main(String[] args) throws Exception {
        Console.open();
        Server server = args.length == 0 ? new Server(RegistryProcess.create(), true)
                : new Server(LocateRegistry.getRegistry("127.0.0.1", Integer.parseInt(args[0])), false);
        server.registry.bind("service", UnicastRemoteObject.exportObject(server, 0));
        Console.say("bound");
        Console.awaitTold();
        server.stop();
        Console.say("stopped");
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
        return (Ticket) UnicastRemoteObject.exportObject(ticket, 0);
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

    private void stop() throws RemoteException, NotBoundException {
        registry.unbind("service");
        UnicastRemoteObject.unexportObject(this, true);
        for (Counted ticket : tickets.values()) {
            UnicastRemoteObject.unexportObject(ticket, true);
        }
        if (ownRegistry) {
            UnicastRemoteObject.unexportObject(registry, true);
        }
    }
}
