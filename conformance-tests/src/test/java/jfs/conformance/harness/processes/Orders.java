package jfs.conformance.harness.processes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import jfs.testing.Background;

/**
 * The orders that a child process gets. Each line of standard input is an order, "number name arguments". Each order gets
 * its own thread and, when done, a line "number result" on standard output. The process ends with its standard input, and
 * so also when its parent ends.
 */
public final class Orders {

    private static final int KEPT_MAX = 100;

    /** The latest orders only, because a process may get orders for hours. */
    private final Map<String, Background<Void>> latest = Collections.synchronizedMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Background<Void>> eldest) {
            return size() > KEPT_MAX;
        }
    });

    /** Carries orders out. */
    public interface Obedience {

        /**
         * @param words number, name, arguments
         * @return the result, which is printed as one line; null if the order prints its line itself, later
         */
        Object obey(String order, String[] words) throws Exception;
    }

    /** An earlier order. */
    Background<Void> get(String number) {
        return latest.get(number);
    }

    /** Carries out orders until standard input ends. Ends the process then. */
    public void run(Obedience who) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            latest.put(words[0], Background.run(() -> answer(who, words)));
        }
        Runtime.getRuntime().halt(0);
    }

    private static void answer(Obedience who, String[] words) {
        Object result;
        try {
            result = who.obey(words[1], words);
        } catch (Exception | AssertionError | LinkageError e) {
            result = e;
        }
        if (result != null) {
            System.out.println(words[0] + " " + result);
        }
    }
}
