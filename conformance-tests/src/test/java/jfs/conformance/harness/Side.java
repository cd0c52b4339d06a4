package jfs.conformance.harness;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketImpl;
import java.net.SocketImplFactory;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Which sockets are JFS's: those that connect, those that listen and are accepted, both, or none. A socket that a test
 * makes with {@code new Socket()} or {@code new ServerSocket()} while a side is in use belongs to that side for good.
 *
 * <p>{@link #NONE} is exactly the JDK, without a factory, so the same test can run with it for comparison. The factories of
 * {@code java.net} can be set only once, so their fields are written here; one test runs at a time.
 */
public enum Side {

    NONE, CLIENT, SERVER, BOTH;

    private static final VarHandle CLIENT_FACTORY = factory(Socket.class);
    private static final VarHandle SERVER_FACTORY = factory(ServerSocket.class);
    private static final SocketImplFactory JFS_CLIENT;
    private static final SocketImplFactory JFS_SERVER;

    private static Side current;

    static {
        Subject.current();
        JFS_CLIENT = (SocketImplFactory) CLIENT_FACTORY.getVolatile();
        JFS_SERVER = (SocketImplFactory) SERVER_FACTORY.getVolatile();
        current = Subject.current() == Subject.JDK ? NONE : BOTH;
    }

    /** A test that is run for each side that the subject has; its parameter is the side. */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedTest
    @MethodSource("jfs.conformance.harness.Side#ofSubject")
    public @interface AtEach {
    }

    /** The sides on which this subject has sockets of its own. For the subject JDK that is only NONE. */
    public static List<Side> ofSubject() {
        return Subject.current() == Subject.JDK ? List.of(NONE) : List.copyOf(EnumSet.of(CLIENT, SERVER, BOTH));
    }

    public static Side current() {
        return current;
    }

    /** What a program does with the sockets that it makes, and what it sees of them. */
    public interface Program {
        void run(Transcript seen) throws Exception;
    }

    /** Runs the program with the JDK's sockets and with those of this side, and compares what it sees. */
    public void sameAsJdk(Program program) throws Exception {
        Transcript.assertSame(NONE.run(program), run(program));
    }

    private String run(Program program) throws Exception {
        return call(() -> {
            Transcript seen = new Transcript();
            program.run(seen);
            return seen.toString();
        });
    }

    /** Something that makes sockets. */
    public interface Action<T> {
        T run() throws Exception;
    }

    /** Runs the action with the sockets of this side. */
    public <T> T call(Action<T> action) throws Exception {
        Side before = current;
        use();
        try {
            return action.run();
        } finally {
            before.use();
        }
    }

    private void use() {
        if (this != NONE && JFS_CLIENT == null) {
            throw new IllegalStateException("the subject has no sockets but the JDK's");
        }
        CLIENT_FACTORY.setVolatile(switch (this) {
            case NONE -> null;
            case SERVER -> (SocketImplFactory) Side::acceptedOrPlain;
            case CLIENT, BOTH -> JFS_CLIENT;
        });
        SERVER_FACTORY.setVolatile(this == SERVER || this == BOTH ? JFS_SERVER : null);
        current = this;
    }

    /** The implementation that {@code new Socket()} has now. */
    public static SocketImpl newImpl() {
        SocketImplFactory factory = (SocketImplFactory) CLIENT_FACTORY.getVolatile();
        return current == NONE || factory == null ? plain() : factory.createSocketImpl();
    }

    /**
     * The implementation where only listeners are JFS's. {@code java.net} asks the clients' factory for the one that it
     * accepts into.
     */
    private static SocketImpl acceptedOrPlain() {
        boolean accepted = StackWalker.getInstance().walk(frames -> frames
                .anyMatch(frame -> frame.getClassName().equals(ServerSocket.class.getName())));
        return accepted ? JFS_CLIENT.createSocketImpl() : plain();
    }

    /** The implementation that {@code new Socket()} and {@code new Socket(Proxy.NO_PROXY)} have without a factory. */
    private static SocketImpl plain() {
        boolean withoutProxy = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).walk(frames -> frames
                .anyMatch(frame -> frame.getClassName().equals(Socket.class.getName())
                        && frame.getDescriptor().equals("(Ljava/net/Proxy;)V")));
        try {
            MethodHandle platform = inside(SocketImpl.class).findStatic(SocketImpl.class, "createPlatformSocketImpl",
                    MethodType.methodType(SocketImpl.class, boolean.class));
            if (withoutProxy) {
                return (SocketImpl) platform.invoke(false);
            }
            Class<?> socks = Class.forName("java.net.SocksSocketImpl");
            MethodHandle withSocks = inside(socks).findConstructor(socks,
                    MethodType.methodType(void.class, SocketImpl.class));
            return (SocketImpl) withSocks.invoke((SocketImpl) platform.invoke(false));
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static MethodHandles.Lookup inside(Class<?> type) {
        try {
            return MethodHandles.privateLookupIn(type, MethodHandles.lookup());
        } catch (IllegalAccessException e) {
            throw new AssertionError("needs --add-opens java.base/java.net=ALL-UNNAMED", e);
        }
    }

    private static VarHandle factory(Class<?> of) {
        try {
            return inside(of).findStaticVarHandle(of, "factory", SocketImplFactory.class);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
