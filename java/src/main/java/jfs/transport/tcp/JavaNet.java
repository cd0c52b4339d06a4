package jfs.transport.tcp;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketImplFactory;

/**
 * Reads and replaces the factories that are set in {@code java.net}, which has no method for that. Needs {@link JdkAccess}.
 * The fields are volatile, so these accesses are volatile too.
 */
public final class JavaNet {

    private static final Factory CLIENT;
    private static final Factory SERVER;
    private static final String UNAVAILABLE;

    /** The field that holds a factory. */
    private record Factory(MethodHandle getter, MethodHandle setter) {

        static Factory of(Class<?> type) throws ReflectiveOperationException {
            MethodHandles.Lookup lookup = JdkAccess.lookup();
            return new Factory(lookup.findStaticGetter(type, "factory", SocketImplFactory.class),
                    lookup.findStaticSetter(type, "factory", SocketImplFactory.class));
        }

        SocketImplFactory get() {
            try {
                return (SocketImplFactory) getter.invokeExact();
            } catch (Throwable e) { // a field's getter throws nothing
                throw new IllegalStateException(e);
            }
        }

        void set(SocketImplFactory factory) {
            try {
                setter.invokeExact(factory);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static {
        Factory client = null;
        Factory server = null;
        String reason = JdkAccess.unavailable();
        if (reason == null) {
            try {
                client = Factory.of(Socket.class);
                server = Factory.of(ServerSocket.class);
            } catch (ReflectiveOperationException e) {
                reason = "this JDK's java.net is not as expected: " + e;
            }
        }
        CLIENT = client;
        SERVER = server;
        UNAVAILABLE = reason;
    }

    private JavaNet() {
    }

    /** Null if the factories can be seen, else why they can't, in one line. */
    public static String unavailable() {
        return UNAVAILABLE;
    }

    /** The factory of {@link Socket}, or null if there is none or it can't be seen. */
    public static SocketImplFactory clientFactory() {
        return CLIENT == null ? null : CLIENT.get();
    }

    /** The factory of {@link ServerSocket}, or null if there is none or it can't be seen. */
    public static SocketImplFactory serverFactory() {
        return SERVER == null ? null : SERVER.get();
    }

    /** Sets both factories, whether or not there are others. Called only if the factories can be {@linkplain #unavailable seen}. */
    public static void setFactories(SocketImplFactory client, SocketImplFactory server) {
        CLIENT.set(client);
        SERVER.set(server);
    }
}
