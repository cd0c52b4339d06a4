package workloads.network;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import workloads.Program;

/** Java's own remote method invocation: a call without arguments and without a result. */
final class RmiCalls implements Subject {
    /** Keeps these objects alive: RMI itself keeps only objects that a client refers to. */
    private static final List<Object> KEPT = new ArrayList<>();

    /** The interface of the object that is called. */
    public interface Nothing extends Remote {
        void nothing() throws RemoteException;
    }

    @Override
    public int serve(int asked) throws Exception {
        System.setProperty("java.rmi.server.hostname", HOST); // independent of what the machine's own name resolves to
        int port = Program.port(Integer.toString(asked));
        Registry registry = LocateRegistry.createRegistry(port);
        Nothing service = () -> {};
        registry.rebind(Nothing.class.getName(), UnicastRemoteObject.exportObject(service, port));
        KEPT.addAll(List.of(registry, service));
        return port;
    }

    @Override
    public Operation operation(String name, int port) throws Exception {
        if (!name.equals("call")) {
            throw Subject.unknown(name);
        }
        Nothing service = (Nothing) LocateRegistry.getRegistry(HOST, port).lookup(Nothing.class.getName());
        return service::nothing;
    }
}
