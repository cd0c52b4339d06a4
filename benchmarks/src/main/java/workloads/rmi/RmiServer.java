package workloads.rmi;

import java.lang.management.ManagementFactory;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import workloads.Program;

/** Registry, service and JMX connector, all on one port. */
public final class RmiServer implements Service {
    /** Keeps these objects alive: RMI itself keeps only objects that a client refers to. */
    private static final List<Object> KEPT = new ArrayList<>();

    private final int port;
    private volatile Listener listener;

    private RmiServer(int port) {
        this.port = port;
    }

    public static void main(String[] args) throws Exception {
        Program.liveWithParent();
        System.setProperty("java.rmi.server.hostname", "127.0.0.1"); // independent of what the machine's own name resolves to
        int port = Program.port(args[0]);
        Registry registry = LocateRegistry.createRegistry(port);
        RmiServer service = new RmiServer(port);
        registry.rebind(Service.class.getName(), UnicastRemoteObject.exportObject(service, port));
        JMXConnectorServer connector = JMXConnectorServerFactory.newJMXConnectorServer(
                jmx(port), null, ManagementFactory.getPlatformMBeanServer());
        connector.start();
        KEPT.addAll(List.of(registry, service, connector));
        Program.ready(port);
    }

    static JMXServiceURL jmx(int port) throws Exception {
        return new JMXServiceURL(String.format(
                "service:jmx:rmi://127.0.0.1:%d/jndi/rmi://127.0.0.1:%<d/jmxrmi", port));
    }

    @Override
    public void nothing() {}

    @Override
    public String describe(int id, String name, double value) {
        return name + ' ' + id;
    }

    @Override
    public byte[] echo(byte[] data) {
        return data;
    }

    @Override
    public void register(Listener listener) {
        this.listener = listener;
    }

    @Override
    public int callBack(int value) throws RemoteException {
        return listener.called(value);
    }

    @Override
    public void refuse(int id) throws Refusal {
        throw new Refusal("there is no " + id);
    }

    @Override
    public Session open() throws RemoteException {
        return new Opened(port);
    }

    private static final class Opened extends UnicastRemoteObject implements Session {
        Opened(int port) throws RemoteException {
            super(port);
        }

        @Override
        public void close() throws RemoteException {
            unexportObject(this, true);
        }
    }
}
