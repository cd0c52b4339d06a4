package netpipe;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One end of a sweep, run by this process in a thread of its own. */
final class Run {

    private static final Pattern LISTENING = Pattern.compile("Listening on port (\\d+)\\R");

    private final CompletableFuture<Integer> port = new CompletableFuture<>();
    private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream() {
        @Override
        public synchronized void write(byte[] bytes, int offset, int length) {
            super.write(bytes, offset, length);
            Matcher listening = LISTENING.matcher(toString());
            if (listening.lookingAt()) {
                port.complete(Integer.valueOf(listening.group(1)));
            }
        }
    };

    private Run(List<String> args) {
        Thread thread = new Thread(() -> {
            try {
                exitCode.complete(NetPipe.run(args.toArray(String[]::new), new PrintStream(out, true),
                        new PrintStream(err, true)));
            } catch (Throwable e) {
                exitCode.completeExceptionally(e);
            }
            port.completeExceptionally(new AssertionError("the receiver ended before it listened: " + err));
        }, "run " + args);
        thread.setDaemon(true);
        thread.start();
    }

    static Run receiver(String... args) {
        return new Run(with(args, "-P", "0", "--warmup", "0"));
    }

    static Run transmitter(int port, String... args) {
        return new Run(with(args, "-h", "127.0.0.1", "-P", Integer.toString(port), "--warmup", "0"));
    }

    /** Runs with just these arguments. */
    static Run of(String... args) {
        return new Run(List.of(args));
    }

    /** More arguments go first, so that those of a test can override them. */
    private static List<String> with(String[] args, String... more) {
        List<String> all = new ArrayList<>(List.of(more));
        all.addAll(Arrays.asList(args));
        return all;
    }

    int port() throws Exception {
        return port.get(20, TimeUnit.SECONDS);
    }

    int exitCode() throws Exception {
        return exitCode.get(20, TimeUnit.SECONDS);
    }

    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }
}
