package programs.jmx;

import java.lang.management.ManagementFactory;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import programs.Console;

/** A platform MBean server that can be reached over RMI. */
public final class Server {

    private Server() {
    }

    public static void main(String[] args) throws Exception {
        Console.open();
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        beans.registerMBean(new Counter(), new ObjectName("programs:type=Counter"));
        JMXConnectorServer server = JMXConnectorServerFactory.newJMXConnectorServer(
                new JMXServiceURL("service:jmx:rmi://127.0.0.1"), null, beans);
        server.start();
        Console.say("address " + server.getAddress()); // the address contains the server's stub, so no registry is needed
        Console.awaitTold();
        server.stop();
        Console.say("stopped");
    }
}
