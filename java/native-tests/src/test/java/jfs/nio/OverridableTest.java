package jfs.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.StringWriter;
import java.io.Writer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import jfs.testing.Background;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The methods of the JDK that a fast path for channels has to override, beyond those that JFS's classes override now, can be overridden,
 * and the JDK calls the overriding ones. The test compiles subclasses for the JDK that it runs on.
 */
class OverridableTest {

    @TempDir
    static Path folder;

    /** Each class writes the name of a method that is called into its list, then calls the JDK's. */
    private static final String SELECTOR = """
            package sun.nio.ch;
            public class ProbeSelector extends EPollSelectorImpl {
                public final java.util.List<String> calls = java.util.Collections.synchronizedList(new java.util.ArrayList<>());
                public ProbeSelector(java.nio.channels.spi.SelectorProvider provider) throws java.io.IOException { super(provider); }
                @Override protected int doSelect(java.util.function.Consumer<java.nio.channels.SelectionKey> action, long timeout)
                        throws java.io.IOException { calls.add("doSelect"); return super.doSelect(action, timeout); }
                @Override public java.nio.channels.Selector wakeup() { calls.add("wakeup"); return super.wakeup(); }
                @Override protected void implClose() throws java.io.IOException { calls.add("implClose"); super.implClose(); }
                @Override protected void implRegister(SelectionKeyImpl key) { calls.add("implRegister"); super.implRegister(key); }
                @Override protected void implDereg(SelectionKeyImpl key) throws java.io.IOException {
                    calls.add("implDereg"); super.implDereg(key); }
                @Override public void setEventOps(SelectionKeyImpl key) { calls.add("setEventOps"); super.setEventOps(key); }
                @Override public void cancel(SelectionKeyImpl key) { calls.add("cancel"); super.cancel(key); }
            }
            """;
    private static final String CHANNEL = """
            package sun.nio.ch;
            public class ProbeChannel extends SocketChannelImpl {
                public final java.util.List<String> calls = java.util.Collections.synchronizedList(new java.util.ArrayList<>());
                public ProbeChannel(java.nio.channels.spi.SelectorProvider provider) throws java.io.IOException { super(provider); }
                @Override int available() throws java.io.IOException { calls.add("available"); return super.available(); }
                @Override void blockingConnect(java.net.SocketAddress remote, long nanos) throws java.io.IOException {
                    calls.add("blockingConnect"); super.blockingConnect(remote, nanos); }
                @Override public boolean connect(java.net.SocketAddress remote) throws java.io.IOException {
                    calls.add("connect"); return super.connect(remote); }
                @Override public boolean finishConnect() throws java.io.IOException {
                    calls.add("finishConnect"); return super.finishConnect(); }
                @Override protected void implConfigureBlocking(boolean block) throws java.io.IOException {
                    calls.add("implConfigureBlocking"); super.implConfigureBlocking(block); }
                @Override public java.nio.channels.SocketChannel shutdownInput() throws java.io.IOException {
                    calls.add("shutdownInput"); return super.shutdownInput(); }
                @Override public java.nio.channels.SocketChannel shutdownOutput() throws java.io.IOException {
                    calls.add("shutdownOutput"); return super.shutdownOutput(); }
                @Override public <T> java.nio.channels.SocketChannel setOption(java.net.SocketOption<T> name, T value)
                        throws java.io.IOException { calls.add("setOption"); return super.setOption(name, value); }
                @Override public <T> T getOption(java.net.SocketOption<T> name) throws java.io.IOException {
                    calls.add("getOption"); return super.getOption(name); }
                @Override public java.io.FileDescriptor getFD() { calls.add("getFD"); return super.getFD(); }
                @Override public int getFDVal() { calls.add("getFDVal"); return super.getFDVal(); }
                @Override public void park(int event, long nanos) throws java.io.IOException {
                    calls.add("park"); super.park(event, nanos); }
            }
            """;

    /** Compiles the two classes into java.base, and defines them there. */
    private static Class<?> define(MethodHandles.Lookup lookup, String name, String source) throws Exception {
        Path file = folder.resolve(name + ".java");
        Files.writeString(file, source);
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        assumeTrue(javac != null, "this Java runtime has no compiler");
        Writer said = new StringWriter();
        try (StandardJavaFileManager files = javac.getStandardFileManager(null, null, null)) {
            files.setLocation(StandardLocation.CLASS_OUTPUT, List.of(folder.toFile()));
            assertTrue(javac.getTask(said, files, null, List.of("-proc:none", "-nowarn", "--patch-module", "java.base=" + folder), null,
                    files.getJavaFileObjects(new File[] {file.toFile()})).call(), said::toString);
        }
        return lookup.in(Class.forName("sun.nio.ch.SelectorImpl")).defineClass(Files.readAllBytes(folder.resolve("sun/nio/ch/" + name
                + ".class")));
    }

    private static Object make(MethodHandles.Lookup lookup, Class<?> type) throws Throwable {
        return lookup.findConstructor(type, MethodType.methodType(void.class, SelectorProvider.class)).invoke(OwnProvider.get());
    }

    @SuppressWarnings("unchecked")
    private static List<String> calls(MethodHandles.Lookup lookup, Object probe) throws Throwable {
        return (List<String>) lookup.findGetter(probe.getClass(), "calls", List.class).invoke(probe);
    }

    /** The names of all methods of the probe. */
    private static Set<String> methods(Object probe) {
        Set<String> names = new TreeSet<>();
        for (Method method : probe.getClass().getDeclaredMethods()) {
            if (!method.isSynthetic()) { // the compiler adds methods where the superclass is not public
                names.add(method.getName());
            }
        }
        return names;
    }

    @Test
    void theJdkCallsWhatWillBeOverridden() throws Throwable {
        MethodHandles.Lookup lookup = OwnProvider.lookup();
        Class<?> selectors = define(lookup, "ProbeSelector", SELECTOR);
        Class<?> channels = define(lookup, "ProbeChannel", CHANNEL);
        assertEquals(List.of(), JdkClasses.overridingNothing(List.of(selectors, channels)));
        Path file = Files.write(folder.resolve("file"), new byte[100]);
        Object channelProbe = make(lookup, channels);
        Object selectorProbe = make(lookup, selectors);
        List<String> calls = new ArrayList<>();
        try (ServerSocketChannel server = ServerSocketChannel.open(); Selector selector = (Selector) selectorProbe;
                FileChannel from = FileChannel.open(file, StandardOpenOption.READ);
                SocketChannel channel = (SocketChannel) channelProbe; SocketChannel timed = (SocketChannel) make(lookup, channels)) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            channel.configureBlocking(false);
            channel.connect(server.getLocalAddress());
            SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
            assertEquals(1, selector.select(60_000));
            assertTrue(channel.finishConnect());
            key.interestOps(SelectionKey.OP_WRITE);
            assertEquals(1, selector.select(each -> assertEquals(key, each), 60_000));
            assertEquals(1, from.transferTo(0, 1, channel));
            key.cancel();
            selector.wakeup();
            selector.selectNow();
            channel.configureBlocking(true);
            try (SocketChannel peer = server.accept()) {
                channel.socket().setSoTimeout(60_000);
                Background<Integer> reading = Background.call(channel.socket().getInputStream()::read).blocked(); // in park
                peer.write(ByteBuffer.allocate(1));
                assertEquals(0, reading.result());
                assertEquals(0, channel.socket().getInputStream().available());
                Socket socket = channel.socket();
                socket.setKeepAlive(true);
                assertTrue(socket.getKeepAlive());
                socket.shutdownInput();
                socket.shutdownOutput();
            }
            timed.socket().connect(server.getLocalAddress(), 60_000);
            calls.addAll(calls(lookup, timed));
        }
        calls.addAll(calls(lookup, channelProbe));
        assertEquals(methods(channelProbe), new TreeSet<>(calls));
        assertEquals(methods(selectorProbe), new TreeSet<>(calls(lookup, selectorProbe)));
        assertEquals(3, Collections.frequency(calls(lookup, selectorProbe), "doSelect"));
    }
}
