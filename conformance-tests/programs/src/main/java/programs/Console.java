package programs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;

/**
 * The program's standard output and input, by which it talks to the process that started it: it writes and reads lines.
 * The program ends when its standard input ends, so no process is left behind. A program that
 * {@linkplain #awaitEnd waits} for that end finishes its work first. Any other program is halted at once.
 */
public final class Console {

    private static final Semaphore TOLD = new Semaphore(0);
    private static final Semaphore ENDED = new Semaphore(0);
    private static boolean awaited;

    private Console() {
    }

    /**
     * The address at which servers listen and at which clients find the first server: 127.0.0.1, or the value of the
     * system property {@code programs.address}.
     */
    public static String address() {
        return System.getProperty("programs.address", "127.0.0.1");
    }

    /** Starts the thread that reads standard input. Call this first. */
    public static void open() {
        Thread reader = new Thread(Console::read, "console");
        reader.setDaemon(true);
        reader.start();
    }

    private static void read() {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        try {
            while (in.readLine() != null) {
                TOLD.release();
            }
        } catch (IOException e) {
            // treated like the end of the input
        }
        end();
    }

    private static synchronized void end() {
        if (!awaited) {
            Runtime.getRuntime().halt(1);
        }
        ENDED.release();
    }

    /** Writes one line to standard output. */
    public static void say(Object line) {
        System.out.println(line);
    }

    /** Writes the port at which the program can be reached. The port differs from run to run. */
    public static void sayPort(int port) {
        say("port " + port);
    }

    /** Writes the name of the class by which this process makes channels and selectors. */
    public static void sayProvider() {
        say("provider " + SelectorProvider.provider().getClass().getName());
    }

    /**
     * Repeats an action until a line comes in. The process that watches the program decides when it has been repeated
     * enough.
     */
    public static void untilTold(Callable<?> something) throws Exception {
        say("again and again");
        do {
            something.call();
        } while (!TOLD.tryAcquire());
    }

    /** Returns when a line has come in. */
    public static void awaitTold() throws InterruptedException {
        TOLD.acquire();
    }

    /** Returns when the input has ended. */
    public static void awaitEnd() throws InterruptedException {
        synchronized (Console.class) {
            awaited = true;
        }
        ENDED.acquire();
    }
}
