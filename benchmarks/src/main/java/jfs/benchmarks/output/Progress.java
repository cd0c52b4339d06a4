package jfs.benchmarks.output;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Shows the progress. On a terminal one line is overwritten again and again. Elsewhere (a log) only finished steps are printed. */
public final class Progress {
    private static final int WIDTH = 78;

    private final PrintStream out;
    private final boolean terminal;

    public Progress(PrintStream out) {
        this.out = out;
        this.terminal = standardErrorIsTerminal();
    }

    /** System.console() can't be used: it tells about standard input and output together, and since JDK 22 not even that. */
    private static boolean standardErrorIsTerminal() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString().matches("/dev/(pts/|tty|console).*");
        } catch (IOException e) {
            return false;
        }
    }

    public synchronized void now(String what) {
        if (terminal) {
            String line = what.length() > WIDTH ? what.substring(0, WIDTH) : what;
            out.print("\r" + line + " ".repeat(WIDTH - line.length()));
            out.flush();
        }
    }

    public synchronized void done(String what) {
        now("");
        out.println((terminal ? "\r" : "") + what);
    }
}
