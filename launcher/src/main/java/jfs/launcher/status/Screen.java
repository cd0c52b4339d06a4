package jfs.launcher.status;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jfs.procfs.Descriptors;

/**
 * Shows a text again and again. On a terminal each text takes the place of the one before it, on the terminal's alternate screen: the
 * program's user finds the terminal as it was, also after an interrupt. Elsewhere, in a pipe for example, the texts follow one another.
 * The sequences are those of ECMA-48 and xterm, which all terminals of Linux know.
 */
public final class Screen implements AutoCloseable {

    /** Changes to the alternate screen, hides the cursor, and cuts long lines off. */
    private static final String BEGIN = "\u001b[?1049h\u001b[?25l\u001b[?7l";
    private static final String END = "\u001b[?7h\u001b[?25h\u001b[?1049l";
    private static final String TOP = "\u001b[H";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";
    private static final int LINES = 24;

    private final PrintWriter out;
    private final boolean isTerminal;
    /** Ends the alternate screen if the JVM is interrupted. */
    private final Thread hook = new Thread(this::end);
    private boolean hasEnded;

    /** @param replaces whether a text takes the place of the one before it on a terminal */
    public Screen(PrintWriter out, boolean replaces) {
        this.out = out;
        String stdout = Descriptors.target(Path.of("/proc/self/fd/1"));
        this.isTerminal = replaces && (stdout.startsWith("/dev/pts/") || stdout.startsWith("/dev/tty") || stdout.equals("/dev/console"));
        if (isTerminal) {
            Runtime.getRuntime().addShutdownHook(hook);
            out.print(BEGIN);
        }
    }

    public synchronized void show(String text) {
        if (!hasEnded) {
            out.print(isTerminal ? page(text, lines()) : text);
            out.flush();
        }
    }

    /** What makes a terminal of so many lines show the text, and nothing else. No line is cleared before it is written again. */
    public static String page(String text, int height) {
        List<String> lines = text.lines().toList();
        int shown = lines.size() <= height ? lines.size() : Math.max(0, height - 1);
        StringBuilder page = new StringBuilder(TOP);
        for (int i = 0; i < shown; i++) {
            page.append(i == 0 ? "" : "\n").append(lines.get(i)).append(CLEAR_LINE);
        }
        if (shown < lines.size()) {
            page.append(shown == 0 ? "" : "\n").append("... ").append(lines.size() - shown).append(" more lines").append(CLEAR_LINE);
        }
        return page.append(CLEAR_BELOW).toString();
    }

    /** How many lines the terminal has, which its user may change at any time: asked of stty(1), as the JDK has no call for it. */
    private static int lines() {
        try {
            Process stty = new ProcessBuilder("stty", "size").redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD).start();
            String said = new String(stty.getInputStream().readAllBytes()).trim();
            int lines = stty.waitFor(1, TimeUnit.SECONDS) && said.matches("[0-9]{1,5} [0-9]+") ? Integer.parseInt(said.split(" ")[0]) : 0;
            return lines > 0 ? lines : LINES;
        } catch (IOException e) { // there is no stty
            return LINES;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return LINES;
        }
    }

    private synchronized void end() {
        if (isTerminal && !hasEnded) {
            out.print(END);
            out.flush();
        }
        hasEnded = true;
    }

    @Override
    public void close() {
        end();
    }
}
