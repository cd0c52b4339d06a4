package jfs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Map;
import java.util.Properties;
import jfs.config.Settings;
import jfs.config.Transports;
import jfs.negotiation.Negotiator;
import jfs.negotiation.handshake.remote.Hosts;
import jfs.negotiation.policy.Policy;
import jfs.negotiation.policy.Rules;
import jfs.transport.BuiltIn;
import org.junit.jupiter.api.Test;

/** The look for an MBean server does no harm to the connection that is its occasion. */
class SocketEnvironmentTest {

    /** Finds no class of the MXBean, as if jfs.jar had been overwritten in place. */
    private static final class WithoutManagement extends URLClassLoader {

        private boolean asked;

        WithoutManagement() {
            super(new URL[] {of(SocketEnvironment.class), of(SocketEnvironmentTest.class)}, ClassLoader.getPlatformClassLoader());
        }

        private static URL of(Class<?> it) {
            return it.getProtectionDomain().getCodeSource().getLocation();
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith("jfs.management.")) {
                asked = true;
                throw new ClassNotFoundException(name);
            }
            return super.findClass(name);
        }
    }

    /** Is loaded by that class loader, and so are the classes that it uses. */
    static final class FirstConnection implements Runnable {

        @Override
        public void run() {
            Settings settings = Settings.read(new Properties(), Map.of());
            Policy policy = Policy.of(Transports.read(settings, BuiltIn.TRANSPORTS), Rules.NONE, "the test needs none");
            SocketEnvironment it = new SocketEnvironment(settings, null, true,
                    new Negotiator(settings, policy, Hosts.read(settings, Rules.NONE)));
            try {
                Field nextLook = SocketEnvironment.class.getDeclaredField("nextLook");
                nextLook.setAccessible(true);
                nextLook.set(it, System.nanoTime()); // as if the second since the first socket had passed
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
            it.connectionBegan();
        }
    }

    @Test
    void aConnectionBeginsAlsoIfTheLookFails() throws Exception {
        try (WithoutManagement loader = new WithoutManagement()) {
            Constructor<?> first = Class.forName(FirstConnection.class.getName(), true, loader).getDeclaredConstructor();
            first.setAccessible(true);
            ((Runnable) first.newInstance()).run();
            assertTrue(loader.asked);
        }
    }
}
