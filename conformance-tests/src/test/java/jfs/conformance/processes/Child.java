package jfs.conformance.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import jfs.JFSSocketImplFactory;
import jfs.conformance.Await;

/** A {@link Peer} as its parent sees it. */
final class Child implements AutoCloseable {

    private final Process process;
    private final PrintStream orders;
    private final Map<Integer, Order> unanswered = new ConcurrentHashMap<>();
    private final StringBuffer otherOutput = new StringBuffer();
    private int last;

    /** How a peer is to be started. */
    static final class Start {
        private final List<String> before = new ArrayList<>();
        private final List<String> options = new ArrayList<>();
        private final boolean withJfs;
        private String javaHome = System.getProperty("java.home");

        private Start(boolean withJfs) {
            this.withJfs = withJfs;
        }

        /** A JVM option. */
        Start with(String option) {
            options.add(option);
            return this;
        }

        Start on(Path otherJavaHome) {
            javaHome = otherJavaHome.toString();
            return this;
        }

        /** A command that becomes the JVM: it may not fork. */
        Start under(String... command) {
            before.addAll(List.of(command));
            return this;
        }

        Child start() throws IOException {
            List<String> command = new ArrayList<>(before);
            command.add(javaHome + "/bin/java");
            command.addAll(List.of("-cp", classPath(), "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                    "--enable-native-access=ALL-UNNAMED"));
            command.addAll(options);
            command.add(Peer.class.getName());
            command.add(String.valueOf(withJfs));
            return new Child(new ProcessBuilder(command).redirectErrorStream(true).start());
        }

        /** A plain peer can't even find JFS. */
        private String classPath() {
            String tests = origin(Peer.class);
            return withJfs ? tests + File.pathSeparator + origin(JFSSocketImplFactory.class) : tests;
        }

        private static String origin(Class<?> type) {
            try {
                return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
            } catch (URISyntaxException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** A peer that runs JFS with the natives of this build. */
    static Start jfs() {
        return new Start(true).with("-Djfs.native.dir=" + System.getProperty("jfs.native.dir"));
    }

    /** A peer that runs JFS with other natives. */
    static Start jfsWithNatives(String folder) {
        return new Start(true).with("-Djfs.native.dir=" + folder);
    }

    /** A peer of the JDK's own sockets. */
    static Start plain() {
        return new Start(false);
    }

    private Child(Process process) {
        this.process = process;
        this.orders = new PrintStream(process.getOutputStream(), true);
        Thread reader = new Thread(this::readAnswers, "answers of " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    private void readAnswers() {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(process.getInputStream()))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ", 2);
                Order order = words[0].matches("[0-9]+") ? unanswered.remove(Integer.parseInt(words[0])) : null;
                if (order != null) {
                    order.answer.complete(words[1]);
                } else {
                    otherOutput.append('\n').append(line);
                }
            }
        } catch (IOException e) {
            otherOutput.append('\n').append(e);
        }
        unanswered.values().forEach(order -> order.answer.completeExceptionally(new IOException("the peer has ended")));
    }

    /** Something that a peer was told to do. */
    final class Order {
        private final int number;
        private final String text;
        private final CompletableFuture<String> answer = new CompletableFuture<>();

        private Order(int number, String text) {
            this.number = number;
            this.text = text;
        }

        /** What it came to. */
        String result() {
            return resultWithin(Await.LIMIT.toNanos());
        }

        String resultWithin(long nanos) {
            try {
                return answer.get(nanos, TimeUnit.NANOSECONDS);
            } catch (TimeoutException | ExecutionException | InterruptedException e) {
                throw new AssertionError("\"" + text + "\" of peer " + process.pid() + ": " + e + otherOutput, e);
            }
        }

        /** Returns when it waits in a socket. */
        Order blocked() {
            assertEquals("done", tell("blocked " + number));
            return this;
        }

        /** The classes that its thread is in. */
        List<String> stack() {
            return List.of(tell("stack " + number).split(" "));
        }

        void isDone() {
            assertEquals("done", result(), text);
        }

        /** Which of two comes first, when one does. */
        boolean isAnsweredBefore(Order other) {
            try {
                CompletableFuture.anyOf(answer, other.answer).get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
            } catch (TimeoutException | ExecutionException | InterruptedException e) {
                throw new AssertionError("neither \"" + text + "\" nor \"" + other.text + "\": " + e + otherOutput, e);
            }
            return answer.isDone();
        }
    }

    /** Begins something. */
    Order begin(String order) {
        Order it;
        synchronized (this) {
            it = new Order(++last, order);
            unanswered.put(it.number, it);
            orders.println(it.number + " " + order);
        }
        if (!process.isAlive()) {
            it.answer.completeExceptionally(new IOException("the peer has ended"));
        }
        return it;
    }

    /** Does something and gives the result. */
    String tell(String order) {
        return begin(order).result();
    }

    long ask(String order) {
        return Long.parseLong(tell(order));
    }

    /** The reasons that it has counted. */
    String fallbacks() {
        return tell("fallbacks");
    }

    long pid() {
        return process.pid();
    }

    /** kill -9; returns when it was sent. */
    long kill() {
        long now = System.nanoTime();
        process.destroyForcibly();
        return now;
    }

    void awaitEnd() throws InterruptedException {
        if (!process.waitFor(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("peer " + process.pid() + " does not end");
        }
    }

    /** Ends it, if it has not ended. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            awaitEnd();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
