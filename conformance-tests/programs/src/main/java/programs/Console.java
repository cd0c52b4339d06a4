package programs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;

/**
 * How a program talks to whoever started it: lines out, lines in. Nobody is left behind: a program ends with its
 * standard input, in order where it {@linkplain #awaitEnd waits} for that, and at once where it doesn't.
 */
public final class Console {

    private static final Semaphore TOLD = new Semaphore(0);
    private static final Semaphore ENDED = new Semaphore(0);
    private static boolean awaited;

    private Console() {
    }

    /** At which servers are to listen, and clients find the first of them: this host's own unless somebody says otherwise. */
    public static String address() {
        return System.getProperty("programs.address", "127.0.0.1");
    }

    /** First of all. */
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
            // as good as its end
        }
        end();
    }

    private static synchronized void end() {
        if (!awaited) {
            Runtime.getRuntime().halt(1);
        }
        ENDED.release();
    }

    /** A line of what there is to see. */
    public static void say(Object line) {
        System.out.println(line);
    }

    /** Where the program can be reached, which differs from run to run. */
    public static void sayPort(int port) {
        say("port " + port);
    }

    /** Does something again and again until a line comes in: whoever watches decides when that was enough. */
    public static void untilTold(Callable<?> something) throws Exception {
        say("again and again");
        do {
            something.call();
        } while (!TOLD.tryAcquire());
    }

    /** Returns when a line comes in. */
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
