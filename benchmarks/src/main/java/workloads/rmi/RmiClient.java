package workloads.rmi;

import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import workloads.Program;
import workloads.Timing;

/** {@code RmiClient PORT WARMING MEASURING}; the last two are seconds for each operation. */
public final class RmiClient {
    private static final int ECHO_BYTES = 64 << 10;

    private RmiClient() {}

    public static void main(String[] args) throws Exception {
        Program.endWithParent();
        System.setProperty("java.rmi.server.hostname", "127.0.0.1");
        int port = Integer.parseInt(args[0]);
        Service service = (Service) LocateRegistry.getRegistry("127.0.0.1", port).lookup(Service.class.getName());
        Adder listener = new Adder();
        service.register(listener);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (JMXConnector connector = JMXConnectorFactory.connect(RmiServer.jmx(port))) {
            Timing timing = new Timing();
            addCalls(timing, service);
            timing.addRepeating("threads", times -> {
                int half = (times + 1) / 2;
                Future<?> first = threads.submit(() -> callNothing(service, half));
                Future<?> second = threads.submit(() -> callNothing(service, times - half));
                first.get();
                second.get();
            });
            addAttribute(timing, connector.getMBeanServerConnection());
            timing.run(Double.parseDouble(args[1]), Double.parseDouble(args[2]));
        } finally {
            threads.shutdown();
            UnicastRemoteObject.unexportObject(listener, true);
        }
        System.exit(0); // rather than to wait for RMI's own threads to notice that nothing is left to do
    }

    private static final class Adder extends UnicastRemoteObject implements Service.Listener {
        Adder() throws RemoteException {}

        @Override
        public int called(int value) {
            return value + 1;
        }
    }

    private static void addCalls(Timing timing, Service service) {
        timing.add("null", service::nothing);
        timing.add("args", () -> expect(service.describe(17, "a name", 0.5).equals("a name 17")));

        byte[] data = new byte[ECHO_BYTES];
        new Random(1).nextBytes(data);
        timing.add("echo", () -> expect(Arrays.equals(data, service.echo(data))));

        timing.add("callback", () -> expect(service.callBack(41) == 42));
        timing.add("exception", () -> {
            try {
                service.refuse(17);
            } catch (Service.Refusal refusal) {
                expect(refusal.getMessage().equals("there is no 17"));
                return;
            }
            throw new AssertionError("nothing was thrown");
        });
        timing.add("object", () -> service.open().close());
    }

    private static Void callNothing(Service service, int times) throws RemoteException {
        for (int i = 0; i < times; i++) {
            service.nothing();
        }
        return null;
    }

    private static void addAttribute(Timing timing, MBeanServerConnection server) throws Exception {
        ObjectName runtime = new ObjectName("java.lang:type=Runtime");
        timing.add("jmx", () -> expect((Long) server.getAttribute(runtime, "StartTime") > 0));
    }

    private static void expect(boolean right) {
        if (!right) {
            throw new AssertionError("a wrong answer");
        }
    }
}
