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

/** All that JFS's classes in {@code java.base} call of the JDK's internals is checked before these classes are defined. */
class CalledTest {

    /** Constructors that are called by reflection, which no class file refers to. */
    private static final Set<String> REFLECTIVE =
            Set.of("java.nio.channels.SocketChannel.<init>(Ljava/nio/channels/spi/SelectorProvider;)V");

    /** A method that a class file refers to, by its class with dots, its name, and its parameters and result. */
    private record Reference(String type, String name, String shape) {
    }

    @Test
    void whatIsCalledAndNotOverriddenIsChecked() throws Throwable {
        OwnProvider.get();
        Set<String> called = new TreeSet<>(REFLECTIVE);
        for (String name : List.of("JfsChannel", "JfsServerChannel", "JfsSelector", "JfsProvider")) {
            for (Reference each : references("/META-INF/java.base/sun/nio/ch/" + name + ".class")) {
                boolean overridden = Stream.of(Class.forName("sun.nio.ch." + name, false, null).getDeclaredMethods())
                        .anyMatch(method -> isLike(method, each));
                if (!overridden && isInternal(each)) {
                    called.add(each.type() + "." + each.name() + each.shape());
                }
            }
        }
        assertEquals(new TreeSet<>(JdkClasses.CALLED.stream().map(it -> it.replace("static ", "")).toList()), called);
    }

    /** Whether neither JFS nor Java's documented interface has the method. */
    private static boolean isInternal(Reference reference) throws ClassNotFoundException {
        for (Class<?> type = Class.forName(reference.type(), false, null); type != null; type = type.getSuperclass()) {
            boolean isThere = reference.name().equals("<init>")
                    || Stream.of(type.getDeclaredMethods()).anyMatch(method -> isLike(method, reference));
            if (isThere) {
                return !type.getName().startsWith("java.") && !type.getSimpleName().startsWith("Jfs");
            }
        }
        throw new AssertionError("no such method: " + reference);
    }

    private static boolean isLike(Method method, Reference reference) {
        return method.getName().equals(reference.name()) && MethodType.methodType(method.getReturnType(),
                method.getParameterTypes()).toMethodDescriptorString().equals(reference.shape());
    }

    /** The methods in the constant pool of a class file. */
    private static List<Reference> references(String file) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(OwnFiles.read(JdkClasses.class, file)));
        in.readLong(); // magic number and version
        Object[] pool = new Object[in.readUnsignedShort()];
        List<int[]> methods = new ArrayList<>();
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
                    if (tag == 10) {
                        methods.add(two);
                    }
                }
                case 15 -> in.skipBytes(3);
                default -> throw new AssertionError("constant with tag " + tag);
            }
        }
        List<Reference> references = new ArrayList<>();
        for (int[] method : methods) {
            int[] nameAndShape = (int[]) pool[method[1]];
            references.add(new Reference(((String) pool[(int) pool[method[0]]]).replace('/', '.'), (String) pool[nameAndShape[0]],
                    (String) pool[nameAndShape[1]]));
        }
        return references;
    }
}
