package programs.rmi;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import programs.Bytes;
import programs.Console;

/** A client that uses all that the server offers. */
public final class Client {

    private static final int THREADS = 8;

    private final String name;
    private final Service service;
    private final Callback callback;
    private final Callback stub;

    private Client(String name, Remote service) throws RemoteException {
        Way way = Way.valueOf(name);
        this.name = name;
        this.service = (Service) service;
        this.callback = text -> "you said '" + text + "' to " + name;
        this.stub = (Callback) UnicastRemoteObject.exportObject(callback, 0, way.client(), way.server());
    }

    /** Arguments: the registry's port. */
    public static void main(String[] args) throws Exception {
        Console.open();
        Registry registry = LocateRegistry.getRegistry(Console.address(), Integer.parseInt(args[0]));
        List<Client> clients = new ArrayList<>();
        for (String name : new TreeSet<>(List.of(registry.list()))) {
            clients.add(new Client(name, registry.lookup(name)));
        }
        Console.untilTold(() -> {
            for (Client client : clients) {
                client.service.increment(client.service.relay(client.callback, "hello").length());
            }
            return null;
        });
        for (Client client : clients) {
            Console.say("-- " + client.name);
            client.callback();
            client.echo();
            client.failures();
            client.threads();
            client.references();
        }
    }

    private void callback() throws Exception {
        Console.say(service.relay(callback, "hello"));
        Console.say(service.relay(stub, "hello again"));
        Console.say(UnicastRemoteObject.unexportObject(callback, true));
        try {
            service.relay(stub, "anybody there?");
        } catch (RemoteException e) {
            Console.say(e.getClass() + " with " + e.getCause().getClass());
        }
    }

    private void echo() throws RemoteException {
        for (int length : new int[] {0, 1, 1 << 10, 64 << 10, 1 << 20}) {
            Console.say(Bytes.digest(service.echo(Bytes.of(length, length))));
        }
    }

    private void failures() throws RemoteException {
        try {
            service.fail("on purpose");
        } catch (Problem e) {
            Console.say(e + ", code " + e.code() + ", because of " + e.getCause());
            Console.say(hasFrameOf(e, Server.class) + " " + hasFrameOf(e, Client.class));
        }
        try {
            service.relay(null, "to nobody");
        } catch (NullPointerException e) {
            Console.say(hasFrameOf(e, Server.class) + " " + hasFrameOf(e, Client.class));
        }
    }

    /** The stack trace of a remote exception contains the server's frames and the client's. */
    private static boolean hasFrameOf(Exception e, Class<?> type) {
        return Arrays.stream(e.getStackTrace()).anyMatch(frame -> frame.getClassName().equals(type.getName()));
    }

    private void threads() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Callable<String>> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int seed = i;
            tasks.add(() -> {
                int n = 0;
                for (int round = 0; round < 100; round++) {
                    n = service.increment(n);
                }
                return n + " rounds, " + Bytes.digest(service.echo(Bytes.of(seed, 100_000)));
            });
        }
        for (Future<String> result : threads.invokeAll(tasks)) {
            Console.say(result.get());
        }
        threads.shutdown();
    }

    private void references() throws RemoteException {
        Ticket[] held = {service.ticket("dropped"), service.ticket("kept")};
        Console.say(held[0].name() + " and " + held[1].name());
        held[0] = null;
        awaitUnreferenced("dropped");
        Console.say(held[1].name() + " still works");
        awaitUnreferenced("abandoned"); // its only holder is a process that has died
    }

    /**
     * Waits for the server to learn that no client refers to the ticket. The client's garbage collector tells the
     * server.
     */
    private void awaitUnreferenced(String name) throws RemoteException {
        do {
            System.gc();
        } while (!service.unreferenced(name));
        Console.say(name + " is unreferenced");
    }
}
