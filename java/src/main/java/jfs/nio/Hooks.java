package jfs.nio;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.nio.channels.spi.JfsHook;
import java.util.function.Supplier;
import jfs.connection.Environment;
import jfs.transport.tcp.JdkAccess;

/** Hands a hook to what makes JFS's channels and selectors. The JVM can load this class only after {@link JfsHook} has been defined. */
final class Hooks {

    private static MethodHandle use;

    private Hooks() {
    }

    /** Called once, before all other methods. @param factory the class {@code sun.nio.ch.JfsFactory} */
    static void of(Class<?> factory) throws ReflectiveOperationException {
        use = JdkAccess.lookup().findStatic(factory, "use", MethodType.methodType(void.class, JfsHook.class));
    }

    /** The connections of all channels that are made from now on may get a path. @param environment is made at first use */
    static void useConnections(Supplier<? extends Environment> environment) {
        use(new ChannelConnections(environment));
    }

    /** Sets the hook for channels and selectors that are made from now on. */
    static void use(JfsHook hook) {
        try {
            use.invokeExact(hook);
        } catch (Throwable e) { // the method throws nothing
            throw new IllegalStateException(e);
        }
    }
}
