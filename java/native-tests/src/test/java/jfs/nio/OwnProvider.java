package jfs.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import java.util.function.UnaryOperator;
import jfs.testing.Natives;
import jfs.transport.tcp.JdkAccess;

/** JFS's provider for tests of this JVM. It is not the default provider, which another test may have asked for before. */
final class OwnProvider {

    private static SelectorProvider provider;

    private OwnProvider() {
    }

    /** The provider, with connections that stay plain until {@link #record} gives it another hook. */
    static synchronized SelectorProvider get() throws Throwable {
        if (provider == null) {
            lookup();
            assertEquals(List.of(), JdkClasses.missing());
            assertEquals(List.of(), JdkClasses.unknownFields());
            Class<?> type = BaseClass.define(Channels.PROVIDER, BaseClass.of(Channels.EPOLL));
            Class<?> factory = JdkClasses.define();
            assertEquals(List.of(), JdkClasses.overridingNothing(factory));
            Hooks.of(factory);
            usePlain();
            MethodHandle made = lookup().findConstructor(factory, MethodType.methodType(void.class, SelectorProvider.class));
            System.getProperties().put(type, (UnaryOperator<SelectorProvider>) it -> make(made, it)); // as Channels hands it over
            provider = (SelectorProvider) lookup().findConstructor(type, MethodType.methodType(void.class)).invoke();
        }
        return provider;
    }

    private static SelectorProvider make(MethodHandle constructor, SelectorProvider provider) {
        try {
            return (SelectorProvider) constructor.invoke(provider);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** From now on each new channel has an end that the result knows. Called after {@link #get}, which defines the hook's interface. */
    static Recorder record() throws ReflectiveOperationException {
        Recorder recorder = new Recorder();
        recorder.use();
        return recorder;
    }

    /** From now on new channels stay plain. */
    static void usePlain() {
        try {
            Hooks.class.getDeclaredMethod("use", Class.forName("java.nio.channels.spi.JfsHook")).invoke(null, (Object) null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** May access every member of every class. */
    static MethodHandles.Lookup lookup() {
        Natives.load();
        assertNotNull(JdkAccess.lookup(), JdkAccess::unavailable);
        return JdkAccess.lookup();
    }
}
