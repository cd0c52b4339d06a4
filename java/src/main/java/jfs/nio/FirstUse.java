package jfs.nio;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.channels.spi.SelectorProvider;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import jfs.connection.Environment;
import jfs.stat.Stats;
import jfs.transport.tcp.JdkAccess;

/**
 * What JFS's provider needs when the program first makes a TCP channel or a selector: checks that this JDK is as expected, and defines the
 * classes of channels and selectors. A JVM that makes none loads nothing of all this. The program's thread runs it once. Nothing is thrown.
 */
@SuppressWarnings("removal") // of AccessController: JDK 17 may have a security manager, which the program sets after the installation
final class FirstUse implements UnaryOperator<SelectorProvider>, PrivilegedAction<SelectorProvider> {

    private final Supplier<? extends Environment> environment;
    private SelectorProvider provider;

    FirstUse(Supplier<? extends Environment> environment) {
        this.environment = environment;
    }

    /** @return what makes JFS's channels and selectors; null if the JDK's stay: then {@link Stats} has the reason */
    @Override
    public SelectorProvider apply(SelectorProvider jfs) {
        provider = jfs;
        return AccessController.doPrivileged(this); // the program's permissions don't matter, only JFS's
    }

    @Override
    public SelectorProvider run() {
        String why;
        try {
            why = obstacle();
            if (why == null) {
                return factory(JdkClasses.define());
            }
        } catch (LinkageError e) {
            why = "the classes of JFS's provider don't fit this JDK: " + e;
        } catch (Throwable e) { // perhaps this JDK is not as expected, or has no memory; the program must not notice
            why = "they can't be made: " + e;
        }
        try {
            Stats.channelsUnavailable(why);
        } catch (Throwable e) {
            // There is no memory for the reason. The program gets the JDK's channel all the same.
        }
        return null;
    }

    private static String obstacle() throws ClassNotFoundException {
        List<String> missing = JdkClasses.missing();
        if (!missing.isEmpty()) {
            return "this JDK lacks " + missing;
        }
        List<String> unknown = JdkClasses.unknownFields();
        return unknown.isEmpty() ? null : "JFS does not know these fields of this JDK's channels: " + unknown;
    }

    private SelectorProvider factory(Class<?> type) throws Throwable {
        List<String> wrong = JdkClasses.overridingNothing(type);
        if (!wrong.isEmpty()) {
            throw new LinkageError("these methods override nothing in this JDK: " + wrong);
        }
        for (String name : JdkClasses.CLASSES) { // now: later the program's permissions would matter
            Class.forName(name, true, type.getClassLoader());
        }
        Hooks.of(type);
        Hooks.useConnections(environment);
        MethodHandles.Lookup lookup = JdkAccess.lookup();
        return (SelectorProvider) lookup.findConstructor(type, MethodType.methodType(void.class, SelectorProvider.class)).invoke(provider);
    }
}
