package jfs.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import jfs.nativelib.OwnFiles;
import org.junit.jupiter.api.Test;

/** All that JFS's classes in {@code java.base} use of the JDK's internals is checked before these classes are defined. */
class CalledTest {

    /** What is used by reflection or by its offset. No class file refers to it. */
    private static final Set<String> REFLECTIVE = Set.of(
            "java.nio.channels.SocketChannel.<init>(Ljava/nio/channels/spi/SelectorProvider;)V",
            "java.nio.Buffer.segment:",
            "sun.nio.ch.EPollSelectorImpl.interruptTriggered:Z",
            "sun.nio.ch.EPollSelectorImpl.epfd:I",
            "java.nio.MappedByteBuffer.fd:Ljava/io/FileDescriptor;",
            "sun.nio.ch.SocketChannelImpl.readLock:Ljava/util/concurrent/locks/ReentrantLock;",
            "sun.nio.ch.SocketChannelImpl.writeLock:Ljava/util/concurrent/locks/ReentrantLock;");

    /** A method or field that a class file refers to, by its class with dots, its name, and its descriptor. */
    private record Reference(String type, String name, String shape) {

        boolean isMethod() {
            return shape.startsWith("(");
        }

        /** As the lists of {@link JdkClasses} have it, with the class that declares it. */
        String in(Class<?> declaring) {
            return declaring.getName() + "." + name + (isMethod() ? "" : ":") + shape;
        }
    }

    @Test
    void whatIsUsedAndNotOverriddenIsChecked() throws Throwable {
        OwnProvider.get();
        Set<String> used = new TreeSet<>(REFLECTIVE);
        for (String name : classes()) {
            for (Reference each : references("/META-INF/java.base/" + name.replace('.', '/') + ".class")) {
                if (isOfRecorder(each)) {
                    continue; // the next test
                }
                Class<?> declaring = isOverridden(each) ? null : declaring(each);
                if (declaring != null && !declaring.getName().startsWith("java.") && !declaring.getSimpleName().startsWith("Jfs")) {
                    used.add(each.in(declaring));
                }
            }
        }
        Set<String> checked = new TreeSet<>();
        Stream.concat(JdkClasses.CALLED.stream(), JdkClasses.READ.stream()).forEach(it -> checked.add(it.replace("static ", "")));
        assertEquals(String.join("\n", checked), String.join("\n", used));
    }

    private static List<String> classes() {
        List<String> all = new ArrayList<>(JdkClasses.CLASSES);
        all.add(Channels.PROVIDER);
        return all;
    }

    /** {@code JfsRecorder} has the code for all JDKs. The JVM looks for a class only where that code runs. */
    @Test
    void whatIsUsedOfTheFlightRecorderIsThere() throws Throwable {
        int version = Runtime.version().feature();
        Set<String> types = version >= 22 ? Set.of("jdk.internal.event.SocketReadEvent", "jdk.internal.event.SocketWriteEvent")
                : version >= 19 ? Set.of("jdk.jfr.events.EventConfigurations", "jdk.jfr.internal.event.EventConfiguration",
                        "jdk.jfr.events.SocketReadEvent", "jdk.jfr.events.SocketWriteEvent")
                : Set.of("jdk.jfr.events.Handlers", "jdk.jfr.internal.handlers.EventHandler");
        List<String> used = new ArrayList<>();
        Set<String> found = new TreeSet<>();
        for (Reference each : references("/META-INF/java.base/sun/nio/ch/JfsRecorder.class")) {
            if (types.contains(each.type())) {
                found.add(each.type());
                used.add((isStatic(each) ? "static " : "") + each.in(Class.forName(each.type(), false, null)));
            }
        }
        assertEquals(new TreeSet<>(types), found);
        assertEquals(List.of(), JdkClasses.missing(used));
        if (version < 22) {
            assertEquals(List.of(), JdkClasses.missing(List.of("static jdk.jfr.FlightRecorder.initialized:Z")));
        }
    }

    private static boolean isOfRecorder(Reference reference) {
        return reference.type().startsWith("jdk.jfr.") || reference.type().startsWith("jdk.internal.event.");
    }

    private static boolean isStatic(Reference reference) {
        return !Set.of("isEnabled", "shouldCommit", "write").contains(reference.name());
    }

    /** Then another check has found that the method is there. */
    private static boolean isOverridden(Reference reference) throws ClassNotFoundException {
        Class<?> type = Class.forName(reference.type(), false, null);
        boolean found = false;
        for (String name : classes()) {
            Class<?> each = Class.forName(name, false, null);
            found |= type.isAssignableFrom(each) && !reference.name().equals("<init>")
                    && Stream.of(each.getDeclaredMethods()).anyMatch(method -> isLike(method, reference));
        }
        return found;
    }

    private static Class<?> declaring(Reference reference) throws ClassNotFoundException {
        for (Class<?> type = Class.forName(reference.type(), false, null); type != null; type = type.getSuperclass()) {
            boolean isThere = reference.name().equals("<init>")
                    || (reference.isMethod() ? Stream.of(type.getDeclaredMethods()).anyMatch(method -> isLike(method, reference))
                            : Stream.of(type.getDeclaredFields()).anyMatch(field -> field.getName().equals(reference.name())));
            if (isThere) {
                return type;
            }
        }
        throw new AssertionError("it is not there: " + reference);
    }

    private static boolean isLike(Method method, Reference reference) {
        return method.getName().equals(reference.name()) && MethodType.methodType(method.getReturnType(),
                method.getParameterTypes()).toMethodDescriptorString().equals(reference.shape());
    }

    /** The methods and fields of classes in the constant pool of a class file. Arrays have their methods from Object. */
    private static List<Reference> references(String file) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(OwnFiles.read(JdkClasses.class, file)));
        in.readLong(); // magic number and version
        Object[] pool = new Object[in.readUnsignedShort()];
        List<int[]> members = new ArrayList<>();
        for (int i = 1; i < pool.length; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> pool[i] = in.readUTF();
                case 3, 4 -> in.readInt();
                case 5, 6 -> {
                    in.readLong();
                    i++; // takes two places
                }
                case 7, 8, 16 -> pool[i] = in.readUnsignedShort();
                case 9, 10, 11, 12, 17, 18 -> {
                    int[] two = {in.readUnsignedShort(), in.readUnsignedShort()};
                    pool[i] = two;
                    if (tag == 9 || tag == 10) {
                        members.add(two);
                    }
                }
                case 15 -> in.skipBytes(3);
                default -> throw new AssertionError("constant with tag " + tag);
            }
        }
        List<Reference> references = new ArrayList<>();
        for (int[] member : members) {
            int[] nameAndShape = (int[]) pool[member[1]];
            String type = (String) pool[(int) pool[member[0]]];
            if (!type.startsWith("[")) {
                references.add(new Reference(type.replace('/', '.'), (String) pool[nameAndShape[0]], (String) pool[nameAndShape[1]]));
            }
        }
        return references;
    }
}
