package jfs.transport.tcp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketImplFactory;
import jfs.nativelib.Jvm;

/** What {@code java.net} knows and doesn't tell: which factories are set. Needs the native library. */
public final class JavaNet {

    private static final VarHandle CLIENT_FACTORY = factoryOf(Socket.class);
    private static final VarHandle SERVER_FACTORY = factoryOf(ServerSocket.class);

    private JavaNet() {
    }

    /** The factory of {@link Socket}, or null. */
    public static SocketImplFactory clientFactory() {
        return (SocketImplFactory) CLIENT_FACTORY.getVolatile();
    }

    /** The factory of {@link ServerSocket}, or null. */
    public static SocketImplFactory serverFactory() {
        return (SocketImplFactory) SERVER_FACTORY.getVolatile();
    }

    private static VarHandle factoryOf(Class<?> type) {
        try {
            MethodHandles.Lookup lookup = Jvm.trustedLookup();
            return lookup.findStaticVarHandle(type, "factory", SocketImplFactory.class);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JDK's " + type.getSimpleName() + " is not as expected: " + e, e);
        }
    }
}
