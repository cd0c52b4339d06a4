package jfs.conformance.harness.processes;

import java.io.Closeable;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import jfs.testing.Background;
import jfs.testing.Segments;

/** What a {@link Peer} holds of the system, and the descriptors and threads that it uses up so that JFS finds none left. */
final class SystemResources {

    /** Descriptors that are open only to be in use. */
    private final List<Closeable> opened = new ArrayList<>();

    /** What this process holds of the system. Threads of orders and threads that are kept for a second don't count. */
    static String held(boolean endpoint) throws IOException {
        Set<String> names = Leftovers.namesOf(ProcessHandle.current().pid());
        long threads = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.getName().matches("background|jfs-helper")).count();
        return new File("/proc/self/fd").list().length + " descriptors, " + Segments.mappings() + " mappings, "
                + names.size() + " names, " + threads + " threads, "
                + (endpoint ? Jfs.messages() : 0) + " messages, " + (endpoint ? Jfs.channels() : 0) + " channels";
    }

    /** Opens so many descriptors. */
    void open(int number) throws IOException {
        for (int i = 0; i < number; i++) {
            opened.add(new FileInputStream("/dev/null"));
        }
    }

    void closeOpened() throws IOException {
        close(opened);
    }

    private static void close(List<Closeable> some) throws IOException {
        for (Closeable each : some) {
            each.close();
        }
        some.clear();
    }

    /**
     * Uses up all descriptors but so many, which have the highest numbers. The JVM opens some for a moment only, when it
     * loads classes. So this goes on until none has become free many times in a row.
     */
    void useUpAllBut(int left) throws IOException {
        useUp(opened);
        for (int same = 0; same < 1_000; same++) {
            close(opened.subList(opened.size() - left, opened.size()));
            int before = opened.size();
            useUp(opened);
            if (opened.size() > before + left) {
                same = 0;
            }
            Thread.yield();
        }
        close(opened.subList(opened.size() - left, opened.size()));
    }

    private static void useUp(List<Closeable> opened) {
        try {
            for (;;) {
                opened.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException e) {
            // no descriptor is left
        }
    }

    /** The exceptions of reads when the process has no descriptor left. */
    static Set<String> timeouts(int readers) throws Exception {
        List<Closeable> all = new ArrayList<>();
        try (ServerSocket own = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            List<Socket> clients = new ArrayList<>();
            for (int i = 0; i < readers; i++) {
                Socket client = new Socket(own.getInetAddress(), own.getLocalPort());
                all.add(client);
                Socket server = own.accept();
                all.add(server);
                server.getOutputStream().write(1);
                client.getInputStream().read();
                client.setSoTimeout(200);
                clients.add(client);
            }
            readEnds(clients); // the first time takes descriptors: classes are loaded, and the JDK makes some of its own
            useUp(all);
            return readEnds(clients);
        } finally {
            close(all);
        }
    }

    private static Set<String> readEnds(List<Socket> clients) throws Exception {
        List<Background<String>> reads = new ArrayList<>();
        for (Socket client : clients) {
            reads.add(Background.call(() -> {
                try {
                    return "read " + client.getInputStream().read();
                } catch (IOException e) {
                    return e.getMessage();
                }
            }));
        }
        Set<String> ends = new TreeSet<>();
        for (Background<String> read : reads) {
            ends.add(read.result());
        }
        return ends;
    }

    /** Calls this while the system gives the process no thread. */
    static Object withoutThreads(Callable<Object> call) throws Exception {
        List<Thread> threads = new ArrayList<>();
        CountDownLatch over = new CountDownLatch(1);
        try {
            while (threads.size() < 10_000) {
                Thread thread = new Thread(() -> {
                    try {
                        over.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
                thread.start();
                threads.add(thread);
            }
            return "there are always more threads";
        } catch (OutOfMemoryError e) { // no more threads
            return call.call();
        } finally {
            over.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }
}
