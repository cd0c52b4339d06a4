package jfs.nio;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.ProtocolFamily;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jfs.nativelib.OwnFiles;
import jfs.transport.tcp.JdkAccess;

/** The subclasses of the JDK's channels and selectors: defines them in {@code java.base}, and checks that they fit this JDK. */
final class JdkClasses {

    /** Where the build puts the classes: in no folder of classes, because no other module can have their packages. */
    private static final String FILES = "/META-INF/java.base/";
    private static final String SPI = "java.nio.channels.spi.";
    private static final String IMPLEMENTATION = "sun.nio.ch.";
    /** In the order in which they are defined: an interface or a superclass before the class that needs it. */
    private static final List<String> INTERFACES = List.of(SPI + "JfsEnd", SPI + "JfsHook");
    private static final List<String> CLASSES = List.of(IMPLEMENTATION + "JfsChannel", IMPLEMENTATION + "JfsServerChannel",
            IMPLEMENTATION + "JfsSelector", IMPLEMENTATION + "JfsProvider");

    /** The constructors of the JDK's classes that the subclasses call. */
    private static final List<Needed> CONSTRUCTORS = List.of(
            new Needed("EPollSelectorProvider"),
            new Needed("EPollSelectorImpl", SelectorProvider.class),
            new Needed("SocketChannelImpl", SelectorProvider.class),
            new Needed("SocketChannelImpl", SelectorProvider.class, ProtocolFamily.class),
            new Needed("ServerSocketChannelImpl", SelectorProvider.class),
            new Needed("ServerSocketChannelImpl", SelectorProvider.class, ProtocolFamily.class));
    /** The methods of the JDK's classes that the subclasses call and do not override. */
    private static final List<Needed> METHODS = List.of(
            new Needed("SelectionKeyImpl.channel"), new Needed("SelectionKeyImpl.nioInterestOps"), new Needed("Net.isIPv6Available"));

    /** A constructor by its class, or a method by its class and name, with its parameters. */
    private record Needed(String name, Class<?>... parameters) {

        @Override
        public String toString() {
            return IMPLEMENTATION + name + Arrays.toString(parameters);
        }
    }

    private JdkClasses() {
    }

    /**
     * Defines all classes.
     *
     * @return the provider's class
     * @throws LinkageError if another build of JFS has defined them, or if they do not fit this JDK
     */
    static Class<?> define() throws IOException, ReflectiveOperationException {
        MethodHandles.Lookup inSpi = JdkAccess.lookup().in(SelectorProvider.class);
        for (String name : INTERFACES) {
            inSpi.defineClass(file(name));
        }
        MethodHandles.Lookup inImplementation = JdkAccess.lookup().in(jdk("EPollSelectorProvider"));
        Class<?> last = null;
        for (String name : CLASSES) {
            last = inImplementation.defineClass(file(name));
        }
        return last;
    }

    private static byte[] file(String name) throws IOException {
        String path = FILES + name.replace('.', '/') + ".class";
        byte[] file = OwnFiles.read(JdkClasses.class, path);
        if (file == null) {
            throw new FileNotFoundException(path);
        }
        return file;
    }

    /** A class of the JDK's implementation, not initialised. */
    private static Class<?> jdk(String name) throws ClassNotFoundException {
        return Class.forName(IMPLEMENTATION + name, false, null);
    }

    /** @return what the subclasses need and this JDK lacks, before they are defined; empty if nothing is missing */
    static List<String> missing() {
        List<String> missing = new ArrayList<>();
        for (Needed each : CONSTRUCTORS) {
            try {
                requireNotPrivate(jdk(each.name()).getDeclaredConstructor(each.parameters()));
            } catch (ReflectiveOperationException e) {
                missing.add(each.toString());
            }
        }
        for (Needed each : METHODS) {
            int dot = each.name().indexOf('.');
            try {
                requireNotPrivate(jdk(each.name().substring(0, dot)).getDeclaredMethod(each.name().substring(dot + 1), each.parameters()));
            } catch (ReflectiveOperationException e) {
                missing.add(each.toString());
            }
        }
        return missing;
    }

    private static void requireNotPrivate(Executable member) throws NoSuchMethodException {
        if (Modifier.isPrivate(member.getModifiers())) {
            throw new NoSuchMethodException(member.toString());
        }
    }

    /**
     * Initialises the classes, which verifies and links them, and looks for methods that override nothing.
     *
     * @return these methods; empty if all is well
     */
    static List<String> overridingNothing(Class<?> provider) throws ReflectiveOperationException {
        List<Class<?>> types = new ArrayList<>();
        for (String name : CLASSES) {
            types.add(Class.forName(name, true, provider.getClassLoader()));
        }
        return overridingNothing(types);
    }

    /**
     * Looks for methods that override nothing. In a JDK that has renamed a method the subclass would have a new method that nobody calls.
     * Each method of the subclasses that is not an overriding one has to be private or static.
     */
    static List<String> overridingNothing(Iterable<Class<?>> types) {
        List<String> found = new ArrayList<>();
        for (Class<?> type : types) {
            for (Method method : type.getDeclaredMethods()) {
                int modifiers = method.getModifiers();
                if (!Modifier.isPrivate(modifiers) && !Modifier.isStatic(modifiers) && !method.isSynthetic()
                        && !overrides(method, type.getSuperclass())) {
                    found.add(method.toString());
                }
            }
        }
        return found;
    }

    private static boolean overrides(Method method, Class<?> superclass) {
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
