package jfs.transport.tcp;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketImplFactory;
import jfs.nativelib.Jvm;

/** What {@code java.net} knows and doesn't tell: which factories are set. Needs the native library. */
public final class JavaNet {

    private static final MethodHandle CLIENT_FACTORY = factoryOf(Socket.class);
    private static final MethodHandle SERVER_FACTORY = factoryOf(ServerSocket.class);

    private JavaNet() {
    }

    /** The factory of {@link Socket}, or null. */
    public static SocketImplFactory clientFactory() {
        return get(CLIENT_FACTORY);
    }

    /** The factory of {@link ServerSocket}, or null. */
    public static SocketImplFactory serverFactory() {
        return get(SERVER_FACTORY);
    }

    /** The fields are volatile, so these reads are. */
    private static SocketImplFactory get(MethodHandle field) {
        try {
            return (SocketImplFactory) field.invokeExact();
        } catch (Throwable e) { // a field's getter throws nothing
            throw new IllegalStateException(e);
        }
    }

    private static MethodHandle factoryOf(Class<?> type) {
        try {
            MethodHandles.Lookup lookup = Jvm.trustedLookup();
            return lookup.findStaticGetter(type, "factory", SocketImplFactory.class);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JDK's " + type.getSimpleName() + " is not as expected: " + e, e);
        }
    }
}
