package jfs.conformance.processes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;
import jfs.testing.Background;
import jfs.testing.VirtualThreads;

/**
 * What an {@link ApplicationServer} runs: a connection with itself. The server loads this class by a class loader of its
 * own, so the two share only the JDK's classes.
 */
public final class Application implements Runnable {

    /** A thread group that has its class from the application's loader. */
    public static final class Group extends ThreadGroup {

        /** Called by the server. */
        @SuppressWarnings("removal") // JDK 17 keeps an empty group forever, unless it is a daemon
        public Group() {
            super("application");
            setDaemon(true);
        }
    }

    private static final InheritableThreadLocal<Application> CURRENT = new InheritableThreadLocal<>();

    private final Runnable start;
    private final BooleanSupplier enough;
    private final ThreadFactory threads;

    /**
     * Called by the server.
     *
     * @param start is called before the first socket is made
     * @param enough whether the conversation has gone on long enough
     * @param virtual whether virtual threads converse
     */
    public Application(Runnable start, BooleanSupplier enough, boolean virtual) {
        this.start = start;
        this.enough = enough;
        this.threads = virtual ? VirtualThreads.factory() : Thread::new;
    }

    @Override
    public void run() {
        CURRENT.set(this);
        start.run();
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
                Socket server = listener.accept()) {
            Background<?> answers = Background.call(() -> answer(server), threads);
            Background.call(() -> ask(client), threads).result();
            answers.result();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private Void ask(Socket client) throws IOException {
        while (!enough.getAsBoolean()) {
            client.getOutputStream().write(1);
            if (client.getInputStream().read() != 1) {
                throw new IOException("no answer");
            }
        }
        client.shutdownOutput();
        return null;
    }

    private static Void answer(Socket server) throws IOException {
        for (int read = server.getInputStream().read(); read >= 0; read = server.getInputStream().read()) {
            server.getOutputStream().write(read);
        }
        return null;
    }
}
