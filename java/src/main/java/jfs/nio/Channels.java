package jfs.nio;

import java.nio.channels.spi.SelectorProvider;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Supplier;
import jfs.config.Settings;
import jfs.connection.Environment;
import jfs.stat.ChannelProvider;
import jfs.stat.Stats;
import jfs.transport.tcp.JdkAccess;

/**
 * Makes {@code sun.nio.ch.JfsProvider} the default provider of channels and selectors, once in a JVM. Where that can't be done, the
 * JDK's provider or the user's stays, and {@link Stats} has the reason. Nothing is thrown.
 */
public final class Channels {

    /** Names the default provider. The JDK reads it when the default provider is first asked for. */
    private static final String PROPERTY = "java.nio.channels.spi.SelectorProvider";
    /** The value of the property in many start scripts. It names what is the default anyway, and what JFS's provider extends. */
    static final String EPOLL = "sun.nio.ch.EPollSelectorProvider";
    static final String PROVIDER = "sun.nio.ch.JfsProvider";
    /** The JDKs on which the tests have run. The checks of {@link FirstUse} do not see a change of behaviour. */
    private static final Set<Integer> TRIED = Set.of(17, 21, 25);

    private static boolean tried;

    private Channels() {
    }

    /**
     * Called once, when the sockets of JFS have been installed and {@code jfs.nio} is on. Initialises the provider's class only, and none
     * of the JDK's channels or sockets: their library {@code net} reads properties when it is loaded, such as
     * {@code java.net.preferIPv4Stack}, and the program may set these in its main method.
     */
    public static synchronized void install(Settings settings, Supplier<? extends Environment> environment) {
        if (tried) {
            return;
        }
        tried = true;
        String why;
        try {
            why = obstacle(settings);
            if (why == null) {
                why = set(environment);
            }
        } catch (Throwable e) { // perhaps this JDK is not as expected; the program must not notice
            why = "it can't be installed: " + e;
        }
        if (why == null) {
            ChannelProvider.installed();
            if (settings.nettyOnNio()) {
                NettyProperties.set();
            }
        } else if (why.equals(JdkAccess.unavailable()) && !settings.nioAtOnce()) {
            ChannelProvider.unavailable(why); // the log will have the same reason for sockets
        } else {
            Stats.channelsUnavailable(why);
        }
    }

    /** @return why the default provider can't be JFS's, or null if nothing is known that prevents it */
    private static String obstacle(Settings settings) throws Throwable {
        if (settings.tcp() == Settings.Tcp.NIO) {
            return "JFS's own sockets use the program's provider (jfs.tcp=nio)";
        }
        int version = Runtime.version().feature();
        if (!TRIED.contains(version)) {
            return "JFS's provider was not tried on Java " + version;
        }
        String named = System.getProperty(PROPERTY);
        if (named != null && !named.equals(EPOLL)) {
            return "the property " + PROPERTY + " names another provider: " + named;
        }
        if (JdkAccess.unavailable() != null) {
            return JdkAccess.unavailable();
        }
        try {
            Class.forName(EPOLL, false, null);
        } catch (ClassNotFoundException e) {
            return "this JDK has no provider for epoll";
        }
        return named == null ? service() : null;
    }

    /** @return null if no provider is a service of the class path or of a module, else a text that says so */
    private static String service() {
        boolean found = ServiceLoader.load(SelectorProvider.class, ClassLoader.getSystemClassLoader()).iterator().hasNext(); // makes none
        return found ? "a jar or a module of the program has another provider as a service" : null;
    }

    /** @return null if JFS's provider is the default now, else why not */
    private static String set(Supplier<? extends Environment> environment) throws Throwable {
        Class<?> provider;
        try {
            provider = BaseClass.define(PROVIDER, BaseClass.of(EPOLL));
        } catch (LinkageError e) {
            return BaseClass.exists(PROVIDER) ? "another JFS in this JVM has defined JFS's provider before"
                    : "JFS's provider does not fit this JDK: " + e;
        }
        try {
            if (Class.forName(PROVIDER, false, ClassLoader.getSystemClassLoader()) != provider) {
                return "the system class loader has another class " + PROVIDER;
            }
        } catch (ClassNotFoundException e) {
            return "the system class loader does not find the JDK's classes: " + e;
        }
        return makeDefault(provider, new FirstUse(environment)) ? null
                : "the program has used channels or selectors before JFS was installed";
    }

    /**
     * Has the JDK make the default provider now, of the class that the property names. Then the property is again what it was: a program
     * may start other JVMs with its own properties, and these need not have JFS.
     *
     * @return false if the default provider existed before. To ask for that beforehand, by method handles, takes a starting JVM 1 to 3 ms
     */
    private static boolean makeDefault(Class<?> provider, FirstUse firstUse) {
        String before = System.getProperty(PROPERTY);
        System.setProperty(PROPERTY, PROVIDER);
        System.getProperties().put(provider, firstUse); // its constructor takes it
        try {
            return SelectorProvider.provider().getClass() == provider;
        } finally {
            System.getProperties().remove(provider);
            if (before == null) {
                System.clearProperty(PROPERTY);
            } else {
                System.setProperty(PROPERTY, before);
            }
        }
    }
}
