package jfs.nio;

import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The subclasses of the JDK's channels and selectors: defines them in {@code java.base}, and checks that they fit this JDK. */
final class JdkClasses {

    private static final String SPI = "java.nio.channels.spi.";
    private static final String IMPLEMENTATION = "sun.nio.ch.";
    /** In the order in which they are defined: an interface or a superclass before the class that needs it. */
    private static final List<String> INTERFACES = List.of(SPI + "JfsEnd", SPI + "JfsListener", SPI + "JfsTcp",
            SPI + "JfsWaiting", SPI + "JfsHook");
    static final List<String> CLASSES = List.of(IMPLEMENTATION + "JfsBuffers", IMPLEMENTATION + "JfsRecorder",
            IMPLEMENTATION + "JfsStream", IMPLEMENTATION + "JfsChannel", IMPLEMENTATION + "JfsServerChannel",
            IMPLEMENTATION + "JfsRegistration", IMPLEMENTATION + "JfsKeys", IMPLEMENTATION + "JfsWakeups",
            IMPLEMENTATION + "JfsSelector", IMPLEMENTATION + "JfsFactory");

    /**
     * What the subclasses call of the JDK's internals and do not override: class, name, parameters and result, as class files have them.
     * The last part is what {@code JfsServerChannel} makes accepted channels with.
     */
    static final List<String> CALLED = List.of(
            "sun.nio.ch.EPollSelectorProvider.<init>()V",
            "sun.nio.ch.EPollSelectorImpl.<init>(Ljava/nio/channels/spi/SelectorProvider;)V",
            "sun.nio.ch.SocketChannelImpl.<init>(Ljava/nio/channels/spi/SelectorProvider;)V",
            "sun.nio.ch.SocketChannelImpl.<init>(Ljava/nio/channels/spi/SelectorProvider;Ljava/net/ProtocolFamily;)V",
            "sun.nio.ch.ServerSocketChannelImpl.<init>(Ljava/nio/channels/spi/SelectorProvider;)V",
            "sun.nio.ch.ServerSocketChannelImpl.<init>(Ljava/nio/channels/spi/SelectorProvider;Ljava/net/ProtocolFamily;)V",
            "sun.nio.ch.SelectionKeyImpl.channel()Ljava/nio/channels/SelectableChannel;",
            "sun.nio.ch.SelectionKeyImpl.nioInterestOps()I",
            "sun.nio.ch.SelectionKeyImpl.registeredEvents()I",
            "sun.nio.ch.SelectionKeyImpl.selector()Ljava/nio/channels/Selector;",
            "sun.nio.ch.SelectorImpl.begin(Z)V",
            "sun.nio.ch.SelectorImpl.end(Z)V",
            "sun.nio.ch.SelectorImpl.processDeregisterQueue()V",
            "sun.nio.ch.SelectorImpl.processReadyEvents(ILsun/nio/ch/SelectionKeyImpl;Ljava/util/function/Consumer;)I",
            "sun.nio.ch.SocketChannelImpl.getFDVal()I",
            "sun.nio.ch.SocketChannelImpl.isConnected()Z",
            "sun.nio.ch.SocketChannelImpl.isInputOpen()Z",
            "sun.nio.ch.SocketChannelImpl.isOutputOpen()Z",
            "sun.nio.ch.SocketChannelImpl.remoteAddress()Ljava/net/SocketAddress;",
            "sun.nio.ch.SocketDispatcher.<init>()V",
            "static sun.nio.ch.IOUtil.acquireScopes(Ljava/nio/ByteBuffer;[Ljava/nio/ByteBuffer;)Ljava/lang/Runnable;",
            "static sun.nio.ch.IOUtil.releaseScopes(Ljava/lang/Runnable;)V",
            "static sun.nio.ch.IOUtil.newFD(I)Ljava/io/FileDescriptor;",
            "static sun.nio.ch.IOUtil.read(Ljava/io/FileDescriptor;Ljava/nio/ByteBuffer;JLsun/nio/ch/NativeDispatcher;)I",
            "static sun.nio.ch.IOUtil.write(Ljava/io/FileDescriptor;Ljava/nio/ByteBuffer;JLsun/nio/ch/NativeDispatcher;)I",
            "static sun.nio.ch.Net.isIPv6Available()Z",
            "static sun.nio.ch.Net.available(Ljava/io/FileDescriptor;)I",
            "static sun.nio.ch.Net.shutdown(Ljava/io/FileDescriptor;I)V",
            "static sun.nio.ch.Net.getSocketOption"
                    + "(Ljava/io/FileDescriptor;Ljava/net/ProtocolFamily;Ljava/net/SocketOption;)Ljava/lang/Object;",
            "static sun.nio.ch.Net.setSocketOption"
                    + "(Ljava/io/FileDescriptor;Ljava/net/ProtocolFamily;Ljava/net/SocketOption;Ljava/lang/Object;)V",
            "java.nio.channels.SocketChannel.<init>(Ljava/nio/channels/spi/SelectorProvider;)V",
            "static jdk.internal.reflect.ReflectionFactory.getReflectionFactory()Ljdk/internal/reflect/ReflectionFactory;",
            "jdk.internal.reflect.ReflectionFactory.newConstructorForSerialization"
                    + "(Ljava/lang/Class;Ljava/lang/reflect/Constructor;)Ljava/lang/reflect/Constructor;",
            "static jdk.internal.misc.Unsafe.getUnsafe()Ljdk/internal/misc/Unsafe;",
            "jdk.internal.misc.Unsafe.objectFieldOffset(Ljava/lang/reflect/Field;)J",
            "jdk.internal.misc.Unsafe.objectFieldOffset(Ljava/lang/Class;Ljava/lang/String;)J",
            "jdk.internal.misc.Unsafe.staticFieldBase(Ljava/lang/reflect/Field;)Ljava/lang/Object;",
            "jdk.internal.misc.Unsafe.staticFieldOffset(Ljava/lang/reflect/Field;)J",
            "jdk.internal.misc.Unsafe.compareAndSetInt(Ljava/lang/Object;JII)Z",
            "jdk.internal.misc.Unsafe.compareAndSetReference(Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Z",
            "jdk.internal.misc.Unsafe.getAndSetReference(Ljava/lang/Object;JLjava/lang/Object;)Ljava/lang/Object;",
            "jdk.internal.misc.Unsafe.getBooleanVolatile(Ljava/lang/Object;J)Z",
            "jdk.internal.misc.Unsafe.getReference(Ljava/lang/Object;J)Ljava/lang/Object;",
            "jdk.internal.misc.Unsafe.putReference(Ljava/lang/Object;JLjava/lang/Object;)V",
            "jdk.internal.misc.Unsafe.getLong(Ljava/lang/Object;J)J",
            "jdk.internal.misc.Unsafe.putLong(Ljava/lang/Object;JJ)V",
            "jdk.internal.misc.Unsafe.getInt(Ljava/lang/Object;J)I",
            "jdk.internal.misc.Unsafe.putInt(Ljava/lang/Object;JI)V",
            "jdk.internal.misc.Unsafe.getBoolean(Ljava/lang/Object;J)Z",
            "jdk.internal.misc.Unsafe.putBoolean(Ljava/lang/Object;JZ)V",
            "jdk.internal.misc.Unsafe.storeFence()V");

    /**
     * The fields of the JDK's internals that the subclasses read: class, name and type, as class files have them. Without a type it may be
     * any class.
     */
    static final List<String> READ = List.of(
            "java.nio.Buffer.segment:",
            "sun.nio.ch.EPollSelectorImpl.interruptTriggered:Z",
            "sun.nio.ch.EPollSelectorImpl.epfd:I",
            "java.nio.MappedByteBuffer.fd:Ljava/io/FileDescriptor;",
            "sun.nio.ch.SocketChannelImpl.readLock:Ljava/util/concurrent/locks/ReentrantLock;",
            "sun.nio.ch.SocketChannelImpl.writeLock:Ljava/util/concurrent/locks/ReentrantLock;",
            "static sun.nio.ch.Net.UNSPEC:Ljava/net/ProtocolFamily;",
            "static sun.nio.ch.Net.POLLIN:S",
            "static sun.nio.ch.Net.POLLOUT:S");

    /** The fields of an instance of {@code SocketChannelImpl}. {@code JfsServerChannel} copies them to another channel. */
    private static final Map<String, String> FIELDS = Map.ofEntries(
            Map.entry("family", "java.net.ProtocolFamily"),
            Map.entry("fd", "java.io.FileDescriptor"),
            Map.entry("fdVal", "int"),
            Map.entry("readLock", "java.util.concurrent.locks.ReentrantLock"),
            Map.entry("writeLock", "java.util.concurrent.locks.ReentrantLock"),
            Map.entry("stateLock", "java.lang.Object"),
            Map.entry("isInputClosed", "boolean"),
            Map.entry("isOutputClosed", "boolean"),
            Map.entry("connectionReset", "boolean"),
            Map.entry("isReuseAddress", "boolean"),
            Map.entry("state", "int"),
            Map.entry("readerThread", "long"),
            Map.entry("writerThread", "long"),
            Map.entry("localAddress", "java.net.SocketAddress"),
            Map.entry("remoteAddress", "java.net.SocketAddress"),
            Map.entry("socket", "java.net.Socket"), // null until the program asks for the adaptor
            Map.entry("forcedNonBlocking", "boolean")); // not in JDK 17

    private JdkClasses() {
    }

    /**
     * Defines all classes.
     *
     * @return the class of the factory
     * @throws LinkageError if they do not fit this JDK
     */
    static Class<?> define() throws IOException, ReflectiveOperationException {
        for (String name : INTERFACES) {
            BaseClass.define(name, SelectorProvider.class);
        }
        Class<?> implementation = jdk("EPollSelectorProvider");
        Class<?> last = null;
        for (String name : CLASSES) {
            last = BaseClass.define(name, implementation);
        }
        return last;
    }

    /** A class of the JDK's implementation, not initialised. */
    private static Class<?> jdk(String name) throws ClassNotFoundException {
        return BaseClass.of(IMPLEMENTATION + name);
    }

    /** @return what the subclasses call or read and this JDK lacks, before they are defined; empty if nothing is missing */
    static List<String> missing() {
        List<String> missing = missing(CALLED);
        missing.addAll(missing(READ));
        return missing;
    }

    /** @param needed in the form of {@link #CALLED} or of {@link #READ} */
    static List<String> missing(List<String> needed) {
        List<String> missing = new ArrayList<>();
        for (String each : needed) {
            if (!(each.indexOf('(') < 0 ? hasField(each) : hasMethod(each))) {
                missing.add(each);
            }
        }
        return missing;
    }

    private static boolean hasField(String read) {
        boolean isStatic = read.startsWith("static ");
        int colon = read.indexOf(':');
        int dot = read.lastIndexOf('.', colon);
        try {
            Class<?> type = Class.forName(read.substring(isStatic ? "static ".length() : 0, dot), false, null);
            Field field = type.getDeclaredField(read.substring(dot + 1, colon));
            return Modifier.isStatic(field.getModifiers()) == isStatic
                    && (read.endsWith(":") ? !field.getType().isPrimitive()
                            : field.getType().descriptorString().equals(read.substring(colon + 1)));
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    private static boolean hasMethod(String called) {
        boolean isStatic = called.startsWith("static ");
        int parameters = called.indexOf('(');
        int dot = called.lastIndexOf('.', parameters);
        String name = called.substring(dot + 1, parameters);
        try {
            Class<?> type = Class.forName(called.substring(isStatic ? "static ".length() : 0, dot), false, null);
            MethodType shape = MethodType.fromMethodDescriptorString(called.substring(parameters), null);
            if (name.equals("<init>")) {
                return !Modifier.isPrivate(type.getDeclaredConstructor(shape.parameterArray()).getModifiers());
            }
            Method method = type.getDeclaredMethod(name, shape.parameterArray());
            return !Modifier.isPrivate(method.getModifiers()) && Modifier.isStatic(method.getModifiers()) == isStatic
                    && method.getReturnType() == shape.returnType();
        } catch (ReflectiveOperationException | TypeNotPresentException e) {
            return false;
        }
    }

    /**
     * Looks for fields that an accepted channel can't be given by a copy, because JFS does not know them. Such a field may refer back to
     * the JDK's channel, which is dropped.
     *
     * @return these fields; empty if all are known
     */
    static List<String> unknownFields() throws ClassNotFoundException {
        return unknownFields(jdk("SocketChannelImpl"));
    }

    static List<String> unknownFields(Class<?> channel) {
        List<String> unknown = new ArrayList<>();
        for (Field field : channel.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers()) && !field.getType().getName().equals(FIELDS.get(field.getName()))) {
                unknown.add(field.toString());
            }
        }
        return unknown;
    }

    /**
     * Looks for methods of the subclasses that override nothing. Initialises none of the classes: the initialisation of the JDK's channels
     * loads the library {@code net}, which reads properties that the program may set in its main method.
     *
     * @return these methods; empty if all is well
     */
    static List<String> overridingNothing(Class<?> factory) throws ReflectiveOperationException {
        List<Class<?>> types = new ArrayList<>();
        types.add(Class.forName(Channels.PROVIDER, false, factory.getClassLoader()));
        for (String name : CLASSES) {
            types.add(Class.forName(name, false, factory.getClassLoader()));
        }
        return overridingNothing(types);
    }

    /**
     * Looks for methods that override nothing. If a JDK has renamed a method, the subclass's method would be a new one that nobody calls.
     * So each method of the subclasses has to override one of the JDK's, or be private, static or final: those are JFS's own.
     */
    static List<String> overridingNothing(Iterable<Class<?>> types) {
        List<String> found = new ArrayList<>();
        for (Class<?> type : types) {
            for (Method method : type.getDeclaredMethods()) {
                int modifiers = method.getModifiers();
                if ((modifiers & (Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL)) == 0 && !method.isSynthetic()
                        && !overrides(method, type.getSuperclass())) {
                    found.add(method.toString());
                }
            }
        }
        return found;
    }

    private static boolean overrides(Method method, Class<?> superclass) {
        for (Class<?> each : method.getDeclaringClass().getInterfaces()) { // one of JFS's, for which the JDK does not matter
            if (like(method, each) != null) {
                return true;
            }
        }
        for (Class<?> type = superclass; type != null; type = type.getSuperclass()) {
            Method other = like(method, type);
            if (other != null) {
                return isOverridable(other, method.getDeclaringClass());
            }
        }
        for (Class<?> type = superclass; type != null; type = type.getSuperclass()) {
            if (isOfInterfaces(method, type)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfInterfaces(Method method, Class<?> type) {
        for (Class<?> each : type.getInterfaces()) {
            if (like(method, each) != null || isOfInterfaces(method, each)) {
                return true;
            }
        }
        return false;
    }

    /** @return the method that a class has itself, with the same name, parameters and result; null if there is none */
    private static Method like(Method method, Class<?> in) {
        for (Method other : in.getDeclaredMethods()) {
            if (other.getName().equals(method.getName()) && other.getReturnType() == method.getReturnType()
                    && Arrays.equals(other.getParameterTypes(), method.getParameterTypes())) {
                return other;
            }
        }
        return null;
    }

    private static boolean isOverridable(Method method, Class<?> by) {
        int modifiers = method.getModifiers();
        boolean seen = Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers)
                || !Modifier.isPrivate(modifiers) && method.getDeclaringClass().getPackageName().equals(by.getPackageName());
        return seen && !Modifier.isStatic(modifiers) && !Modifier.isFinal(modifiers);
    }
}
