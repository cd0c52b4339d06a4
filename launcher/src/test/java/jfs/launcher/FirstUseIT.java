package jfs.launcher;

import static jfs.launcher.Programs.JAR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import jfs.launcher.Programs.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several threads make the first channels of a JVM, and a JVM sends its first file by a path when it has no free descriptor. */
class FirstUseIT {

    @TempDir
    static Path folder;

    @BeforeAll
    static void compile() throws Exception {
        Programs.compile(folder, Map.of("Waits", """
                import java.lang.instrument.*;
                import java.nio.channels.*;
                import java.security.ProtectionDomain;
                /** An agent whose transformer waits for another thread, which opens a channel and a selector. */
                public class Waits implements ClassFileTransformer {
                    public static void premain(String arguments, Instrumentation instrumentation) {
                        instrumentation.addTransformer(new Waits());
                    }
                    @Override
                    public byte[] transform(ClassLoader loader, String name, Class<?> before, ProtectionDomain domain, byte[] file) {
                        if (name.equals("sun/nio/ch/JfsChannel")) {
                            Thread other = new Thread(Waits::open, "other");
                            other.start();
                            try {
                                other.join();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        }
                        return null;
                    }
                    private static void open() {
                        try (SocketChannel channel = SocketChannel.open(); Selector selector = Selector.open()) {
                            System.out.println("another thread: " + channel.getClass().getName());
                            channel.configureBlocking(false).register(selector, SelectionKey.OP_CONNECT);
                        } catch (java.io.IOException e) {
                            System.out.println(e);
                        }
                    }
                }""", "Opens", """
                import java.nio.channels.*;
                public class Opens {
                    public static void main(String[] args) throws Exception {
                        try (SocketChannel channel = SocketChannel.open(); Selector selector = Selector.open()) {
                            System.out.println(channel.getClass().getName() + " " + selector.getClass().getName());
                        }
                    }
                }""", "Together", """
                import java.nio.channels.*;
                import java.util.*;
                import java.util.concurrent.*;
                public class Together {
                    public static void main(String[] args) throws Exception {
                        CyclicBarrier barrier = new CyclicBarrier(8);
                        ExecutorService threads = Executors.newFixedThreadPool(8);
                        List<Callable<String>> all = new ArrayList<>();
                        for (int i = 0; i < 8; i++) {
                            all.add(() -> {
                                barrier.await();
                                try (SocketChannel channel = SocketChannel.open(); Selector selector = Selector.open()) {
                                    return channel.getClass().getName() + " " + selector.getClass().getName();
                                }
                            });
                        }
                        Set<String> found = new TreeSet<>();
                        for (Future<String> each : threads.invokeAll(all)) {
                            found.add(each.get());
                        }
                        threads.shutdown();
                        System.out.println(found);
                    }
                }""", "Sends", """
                import java.io.*;
                import java.net.*;
                import java.nio.ByteBuffer;
                import java.nio.channels.*;
                import java.nio.file.*;
                public class Sends {
                    /** @param args the file; "fast" to wait until the connection has left TCP */
                    public static void main(String[] args) throws Exception {
                        try (ServerSocketChannel server = ServerSocketChannel.open()
                                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                                SocketChannel client = SocketChannel.open(server.getLocalAddress());
                                SocketChannel accepted = server.accept();
                                FileChannel from = FileChannel.open(Path.of(args[0]))) {
                            ByteBuffer one = ByteBuffer.allocate(1);
                            int rounds = 0;
                            while (args.length > 1 ? jfs.stat.Stats.SWITCHED_IN.sum() < 2 : ++rounds < 10) {
                                client.write(one.clear());
                                accepted.read(one.clear());
                                accepted.write(one.flip());
                                client.read(one.clear());
                            }
                            InputStream[] open = new InputStream[1 << 20];
                            int count = 0;
                            String why = null;
                            while (why == null) {
                                try {
                                    open[count++] = new FileInputStream(args[0]);
                                } catch (IOException e) {
                                    why = e.getMessage();
                                }
                            }
                            ByteBuffer got = ByteBuffer.allocate(1 << 16);
                            String said = why.substring(why.indexOf('('));
                            for (int length : new int[] {1000, 20000}) {
                                long sent = -1;
                                try {
                                    sent = from.transferTo(0, length, client);
                                } catch (IOException e) {
                                    said += " " + e;
                                }
                                got.clear().limit(Math.max(0, (int) sent));
                                while (got.hasRemaining()) accepted.read(got);
                                said += " " + sent + " " + got.flip().hashCode();
                            }
                            for (int i = 0; i < count - 1; i++) open[i].close();
                            System.out.println(said);
                        }
                    }
                }"""));
    }

    private static Outcome withJfs(String... command) throws Exception {
        List<String> all = new ArrayList<>(List.of("-javaagent:" + JAR, "-Djfs.nio=on", "-cp", JAR + ":" + folder));
        all.addAll(List.of(command));
        return Programs.java(folder, Map.of(), all);
    }

    /** No thread waits for a lock while code of an agent runs. The other thread gets what the JDK makes. */
    @Test
    void aTransformerThatWaitsForAnotherThreadsChannelDoesNotWaitForEver() throws Exception {
        Path agent = folder.resolve("waits.jar");
        Programs.jar(agent, Map.of("Premain-Class", "Waits"), folder, List.of("Waits.class"));
        assertEquals(new Outcome(0, "another thread: sun.nio.ch.SocketChannelImpl\nsun.nio.ch.JfsChannel sun.nio.ch.JfsSelector\n", ""),
                withJfs("-javaagent:" + agent, "Opens"));
    }

    @Test
    void threadsThatComeTogetherAllGetJfssChannels() throws Exception {
        assertEquals(new Outcome(0, "[sun.nio.ch.JfsChannel sun.nio.ch.JfsSelector]\n", ""), withJfs("Together"));
    }

    /** The kernel needs no descriptor more for the JDK's transfer. */
    @Test
    void theFirstFileByAPathNeedsNoFreeDescriptor() throws Exception {
        byte[] bytes = new byte[20_000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31 + i / 256);
        }
        String file = Files.write(folder.resolve("file"), bytes).toString();
        List<String> limit = List.of("prlimit", "--nofile=200:200");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "there is no prlimit");
        Outcome expected = Programs.java(folder, Map.of(), limit, List.of("-cp", JAR + ":" + folder, "Sends", file));
        assertTrue(expected.out().startsWith("(Too many open files) 1000 "), expected::toString);
        assertEquals(expected, Programs.java(folder, Map.of("JFS_UPGRADE_AFTER", "1"), limit,
                List.of("-javaagent:" + JAR, "-Djfs.nio=on", "-cp", JAR + ":" + folder, "Sends", file, "fast")));
    }
}
