package programs.jmx;

import java.lang.management.ManagementFactory;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.management.Attribute;
import javax.management.AttributeChangeNotification;
import javax.management.JMX;
import javax.management.MBeanException;
import javax.management.MBeanServerConnection;
import javax.management.Notification;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import programs.Console;

/** Reads and changes another JVM's MBeans. */
public final class Client {

    private Client() {
    }

    /** Arguments: the server's address. */
    public static void main(String[] args) throws Exception {
        Console.open();
        ObjectName counter = new ObjectName("programs:type=Counter");
        try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(args[0]))) {
            MBeanServerConnection beans = connector.getMBeanServerConnection();
            Console.untilTold(() -> beans.getAttribute(counter, "Count"));
            attributes(beans, counter);
            operations(beans, counter);
            notifications(beans, counter);
            platform(beans);
        }
        Console.say("closed");
    }

    private static void attributes(MBeanServerConnection beans, ObjectName counter) throws Exception {
        Console.say(beans.isRegistered(counter));
        Console.say(beans.getMBeanInfo(counter).getAttributes().length + " attributes");
        beans.setAttribute(counter, new Attribute("Name", "changed"));
        Console.say(beans.getAttributes(counter, new String[] {"Count", "Name"}));
        Console.say(JMX.newMBeanProxy(beans, counter, CounterMBean.class).getName());
    }

    private static void operations(MBeanServerConnection beans, ObjectName counter) throws Exception {
        Console.say(beans.invoke(counter, "add", new Object[] {5}, new String[] {"int"}));
        try {
            beans.invoke(counter, "fail", null, null);
        } catch (RuntimeMBeanException | MBeanException e) {
            Console.say(e.getClass() + ": " + e.getCause());
        }
    }

    private static void notifications(MBeanServerConnection beans, ObjectName counter) throws Exception {
        BlockingQueue<Notification> received = new LinkedBlockingQueue<>();
        NotificationListener listener = (notification, handback) -> received.add(notification);
        beans.addNotificationListener(counter, listener, null, null);
        for (int i = 1; i <= 100; i++) {
            beans.invoke(counter, "add", new Object[] {i}, new String[] {"int"});
        }
        long sum = 0;
        for (int i = 1; i <= 100; i++) {
            AttributeChangeNotification change = (AttributeChangeNotification) received.poll(20, TimeUnit.SECONDS);
            sum += (Integer) change.getNewValue() - (Integer) change.getOldValue();
        }
        Console.say("notified of " + sum);
        beans.removeNotificationListener(counter, listener);
    }

    /** Objects of more than one packet. */
    private static void platform(MBeanServerConnection beans) throws Exception {
        ObjectName runtime = new ObjectName(ManagementFactory.RUNTIME_MXBEAN_NAME);
        Console.say(beans.getAttribute(runtime, "SpecVersion"));
        CompositeData[] threads = (CompositeData[]) beans.invoke(
                new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME), "dumpAllThreads",
                new Object[] {true, true}, new String[] {"boolean", "boolean"});
        Console.say(threads.length > 0);
    }
}
