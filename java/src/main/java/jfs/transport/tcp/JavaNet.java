package jfs.transport.tcp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketImplFactory;

/** What {@code java.net} knows and doesn't tell, nor let be changed: which factories are set. Needs {@link JdkAccess}. */
public final class JavaNet {

    private static final VarHandle CLIENT_FACTORY;
    private static final VarHandle SERVER_FACTORY;
    private static final String UNAVAILABLE;

    static {
        VarHandle client = null;
        VarHandle server = null;
        String reason = JdkAccess.unavailable();
        if (reason == null) {
            try {
                client = factoryOf(Socket.class);
                server = factoryOf(ServerSocket.class);
            } catch (ReflectiveOperationException e) {
                reason = "this JDK's java.net is not as expected: " + e;
            }
        }
        CLIENT_FACTORY = client;
        SERVER_FACTORY = server;
        UNAVAILABLE = reason;
    }

    private JavaNet() {
    }

    private static VarHandle factoryOf(Class<?> type) throws ReflectiveOperationException {
        MethodHandles.Lookup lookup = JdkAccess.lookup();
        return lookup.findStaticVarHandle(type, "factory", SocketImplFactory.class);
    }

    /** Null if the factories can be seen, else why they can't, in one line. */
    public static String unavailable() {
        return UNAVAILABLE;
    }

    /** The factory of {@link Socket}, or null if there is none or it can't be seen. */
    public static SocketImplFactory clientFactory() {
        return CLIENT_FACTORY == null ? null : (SocketImplFactory) CLIENT_FACTORY.getVolatile();
    }

    /** The factory of {@link ServerSocket}, or null if there is none or it can't be seen. */
    public static SocketImplFactory serverFactory() {
        return SERVER_FACTORY == null ? null : (SocketImplFactory) SERVER_FACTORY.getVolatile();
    }

    /** Sets both, whatever is there. Only if they can be {@linkplain #unavailable seen}. */
    public static void setFactories(SocketImplFactory client, SocketImplFactory server) {
        SERVER_FACTORY.setVolatile(server);
        CLIENT_FACTORY.setVolatile(client);
    }
}
