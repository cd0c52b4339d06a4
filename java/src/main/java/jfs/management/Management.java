package jfs.management;

import java.lang.management.ManagementFactory;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import jfs.stat.SocketsMXBean;
import jfs.threads.ServiceThreads;

/**
 * Registers the MXBean of JFS ({@link SocketsMXBean}). A JVM makes its platform MBean server when a program or a JMX client first asks for
 * it, and most JVMs never do. JFS does not make one. It looks now and then whether there is one.
 *
 * <p>Any thread may call the methods.
 */
public final class Management {

    private static volatile boolean done;

    private Management() {
    }

    /** Whether there is nothing more to look for: the MXBean is registered, or can't be. */
    public static boolean isDone() {
        return done;
    }

    /**
     * Registers the MXBean, if there is a platform MBean server by now. A thread of its own does that, because a program's thread may hold
     * locks. Does not block. Does nothing where there is no thread to be had, or no module java.management.
     */
    public static void look() {
        try {
            ServiceThreads.create("jfs-management", new Runnable() { // a method reference takes longer to link
                @Override
                public void run() {
                    lookNow();
                }
            }).start();
        } catch (OutOfMemoryError | SecurityException e) {
            // The next look tries again.
        }
    }

    static void lookNow() {
        try {
            done = done || isMissing() || Server.registeredIfPresent();
        } catch (VirtualMachineError e) { // no memory, for example
            // That may pass: the next look tries again.
        } catch (SecurityException e) { // a security manager that was set later
            done = true;
        } catch (RuntimeException | Error e) { // this Java runtime, or its MBean server, is not as expected
            done = true;
        }
    }

    /**
     * Registers the MXBean now. If the JVM has no platform MBean server so far, this makes it.
     *
     * @throws IllegalStateException if this Java runtime has no module java.management, or its MBean server refuses
     */
    public static void register() {
        if (isMissing()) {
            throw new IllegalStateException("jfs: this Java runtime has no module java.management");
        }
        Server.register(ManagementFactory.getPlatformMBeanServer());
        done = true;
    }

    private static boolean isMissing() {
        return ModuleLayer.boot().findModule("java.management").isEmpty();
    }

    /** A class of its own, which is loaded only where the module java.management is. */
    private static final class Server {

        private static boolean registeredIfPresent() {
            for (MBeanServer server : MBeanServerFactory.findMBeanServer(null)) {
                if (server.isRegistered(name(ManagementFactory.RUNTIME_MXBEAN_NAME))) { // it is the platform's, and has its MBeans
                    register(server);
                    return true;
                }
            }
            return false;
        }

        private static void register(MBeanServer server) {
            try {
                server.registerMBean(new SocketsBean(), name(SocketsMXBean.NAME));
            } catch (InstanceAlreadyExistsException e) {
                // Another thread was first.
            } catch (JMException e) {
                throw new IllegalStateException("jfs: the MXBean can't be registered: " + e, e);
            }
        }

        private static ObjectName name(String name) {
            try {
                return new ObjectName(name);
            } catch (JMException e) {
                throw new IllegalArgumentException(e);
            }
        }
    }
}
