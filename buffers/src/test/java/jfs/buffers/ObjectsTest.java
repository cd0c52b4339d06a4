package jfs.buffers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Sections of objects: what goes through them, and what a receiver refuses. */
class ObjectsTest {

    private static final long serialVersionUID = 1;

    record Point(int x, int y) implements Serializable {
    }

    enum Color {
        RED
    }

    /** A class whose objects can't be read. */
    static final class Trap implements Serializable {

        private static final long serialVersionUID = 1;
        static int sprung;

        private void readObject(ObjectInputStream in) {
            sprung++;
            throw new IllegalStateException("sprung");
        }
    }

    /** A class whose own check fails. */
    static final class Unsound implements Serializable {

        private static final long serialVersionUID = 1;

        private void readObject(ObjectInputStream in) {
            throw new AssertionError("unsound");
        }
    }

    private static PackedMessage sent(Object... objects) throws IOException {
        try (PackedMessage message = PackedMessage.allocate(1 << 16)) {
            message.writer().write(objects, 0, objects.length);
            message.commit();
            return sent(message);
        }
    }

    private static PackedMessage sent(PackedMessage message) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        message.writeTo(bytes);
        PackedMessage received = PackedMessage.allocate(1 << 16);
        assertTrue(received.readFrom(new ByteArrayInputStream(bytes.toByteArray())));
        return received;
    }

    private static Object only(PackedMessage message) throws IOException {
        Object[] into = new Object[1];
        message.reader().read(into, 0, 1);
        return into[0];
    }

    @Test
    void valuesGoThroughWithoutAFilter() throws IOException {
        Object[] values = {"text", 1, 2L, (short) 3, (byte) 4, 'c', 5f, 6d, true, null, new BigInteger("123456789012345678901234567890"),
            new BigDecimal("1.50"), new int[] {1, 2}, new long[1000], new String[] {"a", null}, new Object[] {"b", new double[] {1}},
            "x".repeat(9000)};
        PackedMessage received = sent(values);
        assertEquals(BasicType.OBJECT, received.reader().nextType());
        assertEquals(values.length, received.reader().nextCount());
        Object[] read = new Object[values.length];
        received.reader().read(read, 0, 5);
        received.reader().read(read, 5, values.length - 5);
        assertArrayEquals(values, read); // deep
        assertNull(received.reader().nextType());
    }

    @Test
    void sectionsOfObjectsStandBetweenOthers() throws IOException {
        try (PackedMessage message = PackedMessage.allocate(4096)) {
            Object[] objects = {"a", "b", "c", "d"};
            message.writer().write(objects, 1, 2);
            message.writer().write(new int[] {7}, 0, 1);
            message.writer().gather(objects, new int[] {3, 0, 3}, 0, 3);
            message.writer().write(objects, 0, 0);
            message.writer().write(new Object[] {"last"}, 0, 1);
            message.commit();
            PackedMessage received = sent(message);
            String[] into = new String[4];
            received.reader().scatter(into, new int[] {2, 0}, 0, 2);
            assertArrayEquals(new String[] {"c", null, "b", null}, into);
            received.reader().read(new int[1], 0, 1);
            received.reader().read(into, 0, 1);
            assertEquals("d", into[0]);
            received.reader().skip(); // the other two
            assertEquals(0, received.reader().nextCount());
            received.reader().skip();
            assertEquals("last", only(received));
            // The message that was sent can be read here too, and written again.
            assertEquals(5, message.sections());
            message.reader().read(into, 2, 2);
            assertEquals("b", into[2]);
            message.clear();
            assertEquals(16, message.bytes());
        }
    }

    @Test
    void inOneSectionAnObjectIsTheSameTwice() throws IOException {
        int[] one = {1};
        Object[] into = new Object[2];
        sent(one, one).reader().read(into, 0, 2);
        assertSame(into[0], into[1]);
    }

    private static String refused(PackedMessage received) {
        return assertThrows(MalformedMessageException.class, () -> only(received)).getMessage();
    }

    @Test
    void otherClassesNeedAFilter() throws IOException {
        for (Object other : new Object[] {new Point(1, 2), Color.RED, new Point[0], new ArrayList<>(List.of(1)),
            new Object[] {new Point(1, 2)}}) {
            PackedMessage received = sent(other);
            String text = refused(received);
            assertTrue(text.startsWith("object 0 of 1 in a section can't be read: java.io.InvalidClassException: filter status: REJECTED"),
                    text);
        }
        PackedMessage received = sent(new Point(1, 2), Color.RED, "value");
        refused(received);
        received.objectFilter(ObjectInputFilter.Config.createFilter("jfs.buffers.ObjectsTest$*"));
        Object[] into = new Object[3];
        received.reader().read(into, 0, 3); // a second try
        assertArrayEquals(new Object[] {new Point(1, 2), Color.RED, "value"}, into);
        received = sent("value").objectFilter(info -> ObjectInputFilter.Status.UNDECIDED);
        assertEquals("value", only(received));
    }

    @Test
    void aRejectedObjectRunsNoCode() throws IOException {
        Trap.sprung = 0;
        PackedMessage received = sent(new Trap());
        refused(received);
        assertEquals(0, Trap.sprung);
        received.objectFilter(info -> ObjectInputFilter.Status.ALLOWED);
        assertEquals("object 0 of 1 in a section can't be read: java.lang.IllegalStateException: sprung", refused(received));
        assertEquals(1, Trap.sprung);
        received.reader().skip();
        assertNull(received.reader().nextType());
    }

    @Test
    void anErrorOfAnObjectsOwnCodeIsAMalformedMessage() throws IOException {
        PackedMessage received = sent(new Unsound()).objectFilter(info -> ObjectInputFilter.Status.ALLOWED);
        assertEquals("object 0 of 1 in a section can't be read: java.lang.AssertionError: unsound", refused(received));
    }

    /** Deep objects would take the stack, wide ones with forged lengths the memory, sets of sets the processor. */
    @Test
    void objectsThatTakeTooMuchAreRejectedWhateverTheFilterSays() throws IOException {
        assertEquals(1, ((Object[]) only(sent(nested(150)))).length);
        PackedMessage received = sent(nested(1000)).objectFilter(info -> ObjectInputFilter.Status.ALLOWED);
        assertInstanceOf(InvalidClassException.class, assertThrows(MalformedMessageException.class, () -> only(received)).getCause());
        for (Object array : new Object[] {new long[3], new int[3], new char[3], new byte[3], new Object[3], new String[3][]}) {
            try (PackedMessage message = PackedMessage.allocate(1 << 16)) {
                message.writer().write(new Object[] {array}, 0, 1);
                message.commit();
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                message.writeTo(out);
                byte[] bytes = out.toByteArray();
                bytes[lengthOfThree(bytes)] = 0x70; // 1,879,048,195 elements
                PackedMessage forged = PackedMessage.allocate(1 << 16).objectFilter(info -> ObjectInputFilter.Status.ALLOWED);
                assertTrue(forged.readFrom(new ByteArrayInputStream(bytes)));
                String text = refused(forged);
                assertTrue(text.contains("REJECTED"), text);
            }
        }
        Set<Object> bomb = new HashSet<>();
        Set<Object> other = bomb;
        for (int i = 0; i < 100; i++) {
            Set<Object> next = new HashSet<>(Collections.singleton("x" + i));
            other.add(next);
            other = next;
        }
        refused(sent(bomb));
    }

    /** Each array alone has a length that the stream could have bytes for. All of them together would take the receiver's memory. */
    @Test
    void nestedArraysWithForgedLengthsAreRejectedTogether() throws IOException {
        int depth = 150;
        try (PackedMessage message = PackedMessage.allocate(1 << 16)) {
            message.writer().write(new Object[] {nested(depth)}, 0, 1);
            message.commit();
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            message.writeTo(out);
            byte[] bytes = out.toByteArray();
            assertEquals(depth, lengthsOfOneTo(1000, bytes));
            PackedMessage forged = PackedMessage.allocate(1 << 16).objectFilter(info -> ObjectInputFilter.Status.ALLOWED);
            assertTrue(forged.readFrom(new ByteArrayInputStream(bytes)));
            String text = refused(forged);
            assertTrue(text.contains("REJECTED"), text);
            assertEquals(text, refused(forged), "a second try has a sum of its own");
        }
    }

    /** A table of a HashMap has at least 16 elements, and 8 for each entry if its load factor is small. */
    @Test
    void manySmallMapsAreNotTakenForForged() throws IOException {
        List<Object> maps = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            HashMap<Object, Object> map = new HashMap<>(1, 0.25f);
            map.put("key", "value");
            maps.add(i % 2 == 0 ? map : new HashSet<>(map.keySet()));
        }
        PackedMessage received = sent(maps).objectFilter(info -> ObjectInputFilter.Status.ALLOWED);
        assertEquals(maps, only(received));
    }

    /** Overwrites the length of each Object[] that has one element. @return how many there were */
    private static int lengthsOfOneTo(int length, byte[] bytes) {
        int found = 0;
        for (int i = 5; i < bytes.length - 3; i++) {
            boolean one = bytes[i] == 0 && bytes[i + 1] == 0 && bytes[i + 2] == 0 && bytes[i + 3] == 1;
            boolean behindTheClass = bytes[i - 2] == 0x78 && bytes[i - 1] == 0x70;
            boolean behindItsHandle = bytes[i - 5] == 0x71 && bytes[i - 3] == 0x7E;
            if (one && (behindTheClass || behindItsHandle)) {
                bytes[i + 2] = (byte) (length >> 8);
                bytes[i + 3] = (byte) length;
                found++;
            }
        }
        return found;
    }

    private static Object nested(int depth) {
        Object nested = "bottom";
        for (int i = 0; i < depth; i++) {
            nested = new Object[] {nested};
        }
        return nested;
    }

    /** Where the last 0, 0, 0, 3 is: the length of the array. */
    private static int lengthOfThree(byte[] bytes) {
        for (int i = bytes.length - 4; ; i--) {
            if (bytes[i] == 0 && bytes[i + 1] == 0 && bytes[i + 2] == 0 && bytes[i + 3] == 3) {
                return i;
            }
        }
    }

    @Test
    void anArrayOfAnotherTypeIsLeftAlone() throws IOException {
        PackedMessage received = sent("text", 1);
        String[] into = new String[2];
        assertEquals("object 1 of the section is a java.lang.Integer; allowed is java.lang.String",
                assertThrows(ArrayStoreException.class, () -> received.reader().read(into, 0, 2)).getMessage());
        assertThrows(ArrayStoreException.class, () -> received.reader().scatter(into, new int[2], 0, 2));
        assertArrayEquals(new String[2], into);
        assertThrows(SectionMismatchException.class, () -> received.reader().read(new Object[3], 0, 3));
        assertThrows(IndexOutOfBoundsException.class, () -> received.reader().read(into, 1, 2));
        received.reader().read(into, 1, 1);
        assertEquals("text", into[1]);
    }

    @Test
    void whatCanNotBeWrittenLeavesNothing() throws IOException {
        try (PackedMessage message = PackedMessage.allocate(600)) {
            SectionWriter writer = message.writer();
            writer.write(new Object[] {"first"}, 0, 1);
            int before = message.bytes();
            assertThrows(NotSerializableException.class, () -> writer.write(new Object[] {"x", new Object()}, 0, 2));
            assertThrows(PackOverflowException.class, () -> writer.write(new Object[] {"y".repeat(600)}, 0, 1));
            assertThrows(PackOverflowException.class, () -> writer.write(new long[70], 0, 70));
            assertThrows(IndexOutOfBoundsException.class, () -> writer.gather(new Object[1], new int[] {1}, 0, 1));
            assertEquals(before, message.bytes());
            assertEquals(1, message.sections());
            writer.write(new Object[] {"second"}, 0, 1);
            message.commit();
            PackedMessage received = sent(message);
            assertEquals("first", only(received));
            assertEquals("second", only(received));
        }
    }

    /** As the loader of a plug-in: it has some classes of its own, although its parent has them too. */
    private static final class PlugIn extends ClassLoader {

        private final Set<String> own = new HashSet<>();

        PlugIn(Class<?>... own) {
            super(ObjectsTest.class.getClassLoader());
            for (Class<?> each : own) {
                this.own.add(each.getName());
            }
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!own.contains(name)) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    private static Object[] readIn(ClassLoader context, PackedMessage message, int count) throws IOException {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(context);
        try {
            Object[] objects = new Object[count];
            message.reader().read(objects, 0, count);
            return objects;
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /** The context class loader knows the program's classes. What it does not know is looked for as the JDK does. */
    @Test
    void classesAreTakenFromTheContextClassLoaderFirst() throws Exception {
        ClassLoader plugIn = new PlugIn(Point.class);
        for (ClassLoader context : new ClassLoader[] {plugIn, ClassLoader.getPlatformClassLoader(), null}) {
            PackedMessage message = sent(new Point(1, 2), new Point[] {new Point(3, 4)}, int.class, "text");
            message.objectFilter(info -> ObjectInputFilter.Status.ALLOWED);
            Object[] objects = readIn(context, message, 4);
            Class<?> expected = context == plugIn ? plugIn.loadClass(Point.class.getName()) : Point.class;
            assertSame(expected, objects[0].getClass());
            assertSame(expected, objects[1].getClass().getComponentType());
            assertSame(int.class, objects[2]);
            assertEquals("text", objects[3]);
        }
    }

    /** A filter decides by class, and sees the class that was found. */
    @Test
    void aClassOfTheContextClassLoaderNeedsTheFilterToo() throws Exception {
        PackedMessage message = sent(new Point(1, 2));
        assertThrows(MalformedMessageException.class, () -> readIn(new PlugIn(Point.class), message, 1));
    }

    /** Not public, as the other interfaces of a program may be. */
    interface Hidden {
    }

    interface HiddenToo {
    }

    public interface Shown {
    }

    /** The handler of a proxy that goes over. Without methods a proxy asks it for nothing but those of Object. */
    record Handler() implements InvocationHandler, Serializable {

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) {
            return null;
        }
    }

    private static PackedMessage sentProxy(Class<?>... interfaces) throws IOException {
        PackedMessage message = sent(Proxy.newProxyInstance(ObjectsTest.class.getClassLoader(), interfaces, new Handler()));
        return message.objectFilter(info -> ObjectInputFilter.Status.ALLOWED);
    }

    /** As {@link ObjectInputStream} does with the loader of the class that calls it. If a loader has them all, it has the proxy class. */
    @Test
    void proxiesAreOfTheContextClassLoadersInterfaces() throws Exception {
        for (Class<?>[] interfaces : new Class<?>[][] {{Shown.class}, {Hidden.class}, {Shown.class, Hidden.class, HiddenToo.class}}) {
            PlugIn plugIn = new PlugIn(interfaces);
            Class<?> type = readIn(plugIn, sentProxy(interfaces), 1)[0].getClass();
            assertTrue(Proxy.isProxyClass(type));
            assertSame(plugIn, type.getClassLoader());
            for (int i = 0; i < interfaces.length; i++) {
                assertSame(plugIn.loadClass(interfaces[i].getName()), type.getInterfaces()[i]);
            }
            for (ClassLoader context : new ClassLoader[] {ClassLoader.getPlatformClassLoader(), null, new PlugIn()}) {
                type = readIn(context, sentProxy(interfaces), 1)[0].getClass();
                assertArrayEquals(interfaces, type.getInterfaces());
            }
        }
    }

    /** The context class loader has the interface of a plug-in, which no other loader has. */
    @Test
    void anInterfaceThatOnlyTheContextClassLoaderHas() throws Exception {
        try (URLClassLoader nothing = new URLClassLoader(new URL[0], null)) {
            PackedMessage message = sentProxy(Shown.class);
            assertArrayEquals(new Class<?>[] {Shown.class}, readIn(nothing, message, 1)[0].getClass().getInterfaces());
        }
        byte[] renamed = bytesOf(sentProxy(Shown.class));
        String name = Shown.class.getName();
        replace(renamed, name, name.replace("Shown", "Known"));
        ClassLoader plugIn = new ClassLoader(ObjectsTest.class.getClassLoader()) {
            @Override
            protected Class<?> findClass(String wanted) throws ClassNotFoundException {
                if (!wanted.equals(name.replace("Shown", "Known"))) {
                    throw new ClassNotFoundException(wanted);
                }
                try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                    byte[] bytes = in.readAllBytes();
                    replace(bytes, "Shown", "Known");
                    return defineClass(wanted, bytes, 0, bytes.length);
                } catch (IOException e) {
                    throw new ClassNotFoundException(wanted, e);
                }
            }
        };
        PackedMessage received = PackedMessage.allocate(1 << 16).objectFilter(info -> ObjectInputFilter.Status.ALLOWED);
        assertTrue(received.readFrom(new ByteArrayInputStream(renamed)));
        assertTrue(refused(received).contains("ClassNotFoundException"), "no other loader has it");
        Class<?> type = readIn(plugIn, received, 1)[0].getClass();
        assertSame(plugIn, type.getInterfaces()[0].getClassLoader());
    }

    /** The JDK refuses such proxies too: they would have to be of both loaders. And a proxy needs the filter as each other class. */
    @Test
    void proxiesThatCanNotBe() throws Exception {
        PackedMessage message = sentProxy(Hidden.class, HiddenToo.class);
        String text = assertThrows(MalformedMessageException.class, () -> readIn(new PlugIn(Hidden.class), message, 1)).getMessage();
        assertTrue(text.contains("two interfaces that are not public"), text); // newer JDKs tell the error by an exception of their own
        byte[] forged = bytesOf(sentProxy(Shown.class));
        replace(forged, Shown.class.getName(), Point.class.getName());
        PackedMessage received = PackedMessage.allocate(1 << 16).objectFilter(info -> ObjectInputFilter.Status.ALLOWED);
        assertTrue(received.readFrom(new ByteArrayInputStream(forged)));
        text = assertThrows(MalformedMessageException.class, () -> readIn(new PlugIn(), received, 1)).getMessage();
        assertTrue(text.contains("ClassNotFoundException"), text);
        text = assertThrows(MalformedMessageException.class,
                () -> readIn(new PlugIn(Shown.class), sentProxy(Shown.class).objectFilter(null), 1)).getMessage();
        assertTrue(text.contains("REJECTED"), text);
    }

    private static byte[] bytesOf(PackedMessage message) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        message.writeTo(bytes);
        return bytes.toByteArray();
    }

    /** Replaces each text by one that has as many letters. */
    private static void replace(byte[] bytes, String text, String other) {
        assertEquals(text.length(), other.length());
        String all = new String(bytes, StandardCharsets.ISO_8859_1);
        assertTrue(all.contains(text), text);
        byte[] replaced = all.replace(text, other).getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(replaced, 0, bytes, 0, bytes.length);
    }
}
