package jfs.management;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.MBeanServer;
import javax.management.MBeanServerBuilder;
import javax.management.MBeanServerDelegate;
import javax.management.MBeanServerFactory;
import org.junit.jupiter.api.Test;

/** The look for an MBean server. */
class ManagementTest {

    private static final AtomicInteger LOOKS = new AtomicInteger();

    /** Its servers have no memory for an answer. */
    public static final class WithoutMemory extends MBeanServerBuilder {

        @Override
        public MBeanServer newMBeanServer(String domain, MBeanServer outer, MBeanServerDelegate delegate) {
            return (MBeanServer) Proxy.newProxyInstance(ManagementTest.class.getClassLoader(), new Class<?>[] {MBeanServer.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("isRegistered")) {
                            LOOKS.incrementAndGet();
                            throw new OutOfMemoryError("as the test wants it");
                        }
                        return method.getName().equals("equals") ? proxy == arguments[0] : null;
                    });
        }
    }

    /** A lack of memory passes. */
    @Test
    void itLooksAgainAfterALackOfMemory() {
        String builder = "javax.management.builder.initial";
        System.setProperty(builder, WithoutMemory.class.getName());
        MBeanServer server;
        try {
            server = MBeanServerFactory.createMBeanServer();
        } finally {
            System.clearProperty(builder);
        }
        try {
            Management.lookNow();
            assertFalse(Management.isDone());
            Management.lookNow();
            assertEquals(2, LOOKS.get());
        } finally {
            MBeanServerFactory.releaseMBeanServer(server);
        }
    }
}
