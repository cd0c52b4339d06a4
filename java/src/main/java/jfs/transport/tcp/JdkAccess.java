package jfs.transport.tcp;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.net.SocketImpl;
import jfs.nativelib.Jvm;
import jfs.nativelib.NativeLibrary;
import jfs.nativelib.OwnFiles;
import sun.misc.Unsafe;

/**
 * Access to {@code java.net}'s internals in spite of strong encapsulation, by a lookup that may access every member of every
 * class. The agent gives the lookup, or the native library fetches it. Without either there is no access.
 */
public final class JdkAccess {

    /** Gets the lookup when it is needed. */
    public interface Giver {
        /**
         * Called once at most, by the first thread that needs it.
         *
         * @return {@code MethodHandles.Lookup.IMPL_LOOKUP}
         */
        MethodHandles.Lookup trustedLookup() throws ReflectiveOperationException;
    }

    /** From this version on the JVM warns if {@link Unsafe} is used (JEP 498). */
    private static final int WARNS = 24;

    /** Where the build puts this class: in no folder of classes, because no other module can have the package {@code java.net}. */
    private static final String SOCKET_IMPL_ACCESS = "/META-INF/java.base/java/net/JfsSocketImplAccess.class";

    private static Giver giver;
    /** A lookup for use under a security manager, and where there is an agent. Null where no security manager can be set. */
    private static MethodHandles.Lookup spare;
    private static MethodHandles.Lookup trusted;
    private static String reason;
    /** The file {@link #SOCKET_IMPL_ACCESS}, if it was read beforehand. */
    private static byte[] socketImplAccess;

    private JdkAccess() {
    }

    /** Called by the agent, which can open the package of {@link MethodHandles.Lookup}, before the first JFS socket. */
    public static synchronized void give(Giver agent) {
        giver = agent;
    }

    /** Whether there is an agent. Then the native library is not needed for the lookup. */
    public static synchronized boolean isGiven() {
        return giver != null;
    }

    /**
     * Called in a program that may set a security manager before it makes a socket. Under the security manager JFS could not find the
     * lookup or read a file. So the lookup is fetched now, in the way that costs least (1 ms), and the file is read now.
     */
    public static synchronized void prepareForSecurityManager() {
        if (spare == null) {
            spare = read();
        }
        if (socketImplAccess == null) {
            try {
                socketImplAccess = readSocketImplAccess();
            } catch (IOException e) {
                // The first socket reports it.
            }
        }
    }

    private static byte[] readSocketImplAccess() throws IOException {
        byte[] file = OwnFiles.read(JdkAccess.class, SOCKET_IMPL_ACCESS);
        if (file == null) {
            throw new FileNotFoundException(SOCKET_IMPL_ACCESS);
        }
        return file;
    }

    /**
     * Defines {@code java.net.JfsSocketImplAccess}, once in a JVM. If several class loaders have JFS, all of them use the class that the
     * first one has defined. Needs the lookup.
     *
     * @return an instance of it
     */
    static synchronized Object socketImplAccess() throws IOException, ReflectiveOperationException {
        byte[] file = socketImplAccess != null ? socketImplAccess : readSocketImplAccess();
        MethodHandles.Lookup inJavaNet = lookup().in(SocketImpl.class);
        Class<?> access;
        try {
            access = inJavaNet.defineClass(file);
        } catch (LinkageError e) {
            try {
                access = inJavaNet.findClass("java.net.JfsSocketImplAccess");
            } catch (ClassNotFoundException none) {
                throw e;
            }
        }
        try {
            return lookup().findConstructor(access, MethodType.methodType(void.class)).invoke();
        } catch (ReflectiveOperationException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e); // the constructor throws no exceptions
        }
    }

    /** Reads the lookup by {@link Unsafe}. @return null where that can't be done, or not without a warning */
    private static MethodHandles.Lookup read() {
        if (Runtime.version().feature() >= WARNS) {
            return null;
        }
        try {
            Field only = Unsafe.class.getDeclaredField("theUnsafe");
            only.setAccessible(true);
            Unsafe unsafe = (Unsafe) only.get(null);
            Field field = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
            return (MethodHandles.Lookup) unsafe.getObject(unsafe.staticFieldBase(field), unsafe.staticFieldOffset(field));
        } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
            return null; // a Java runtime without jdk.unsupported, or of another make
        }
    }

    /** The lookup, or null if {@link #unavailable()} has a reason. */
    @SuppressWarnings("removal")
    public static synchronized MethodHandles.Lookup lookup() {
        if (trusted == null && spare != null && System.getSecurityManager() != null) {
            trusted = spare;
        }
        if (trusted == null && reason == null) {
            find();
        }
        return trusted;
    }

    private static void find() {
        if (giver != null) {
            trusted = spare != null ? spare : read(); // the agent's own way costs 8 ms
            if (trusted != null) {
                return;
            }
            try {
                trusted = giver.trustedLookup();
                return;
            } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
                // perhaps the native library can fetch it
            }
        }
        reason = NativeLibrary.unavailable();
        if (reason == null) {
            trusted = Jvm.trustedLookup();
            reason = trusted != null ? null : "this JVM has no MethodHandles.Lookup.IMPL_LOOKUP";
        }
    }

    /** Whether the JVM has initialised a class, which is then in use for good. Needs the lookup. */
    public static boolean isInitialized(Class<?> type) throws Throwable {
        Class<?> unsafe = Class.forName("jdk.internal.misc.Unsafe");
        Object instance = lookup().findStatic(unsafe, "getUnsafe", MethodType.methodType(unsafe)).invoke();
        return !(boolean) lookup().findVirtual(unsafe, "shouldBeInitialized",
                MethodType.methodType(boolean.class, Class.class)).invoke(instance, type);
    }

    /** Null if there is a lookup, else why not, in one line. */
    public static String unavailable() {
        return lookup() != null ? null : reason;
    }
}
