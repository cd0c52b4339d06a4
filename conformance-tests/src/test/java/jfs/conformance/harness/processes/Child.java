package jfs.conformance.harness.processes;

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
import jfs.testing.Await;
import jfs.testing.FreePorts;

/** A process that obeys {@link Orders}, most often a {@link Peer}, as its parent sees it. */
public final class Child implements AutoCloseable {

    private final Process process;
    private final PrintStream orders;
    private final Thread reader;
    private final Map<Integer, Order> unanswered = new ConcurrentHashMap<>();
    private final StringBuffer otherOutput = new StringBuffer();
    private int last;

    /** How to start the process. */
    public static final class Start {
        private final List<String> before = new ArrayList<>();
        private final List<String> options = new ArrayList<>();
        private final boolean withJfs;
        private final List<String> program = new ArrayList<>();
        private String jfs = origin(JFSSocketImplFactory.class);
        private String javaHome = System.getProperty("java.home");

        private Start(boolean withJfs) {
            this.withJfs = withJfs;
            running(Peer.class, String.valueOf(withJfs));
        }

        /** Runs another program than a peer. It must obey orders too. */
        public Start running(Class<?> main, String... arguments) {
            program.clear();
            program.add(main.getName());
            program.addAll(List.of(arguments));
            return this;
        }

        /** Adds an option of the JVM. */
        public Start with(String option) {
            options.add(option);
            return this;
        }

        public Start on(Path otherJavaHome) {
            javaHome = otherJavaHome.toString();
            return this;
        }

        /** Starts the process as in its own container. There its number differs from {@link Child#pid}. */
        public Start contained() {
            return under(Commands.CONTAINER.toArray(String[]::new));
        }

        /** Adds a command that becomes the JVM, or that ends the JVM when it ends. */
        public Start under(String... command) {
            before.addAll(List.of(command));
            return this;
        }

        public Child start() throws IOException {
            List<String> command = new ArrayList<>(before);
            command.add(javaHome + "/bin/java");
            command.addAll(List.of("-cp", classPath(), "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                    "--enable-native-access=ALL-UNNAMED"));
            command.addAll(options);
            command.addAll(program);
            return new Child(new ProcessBuilder(command).redirectErrorStream(true).start());
        }

        /** A plain peer has no JFS on its class path. */
        private String classPath() {
            String tests = origin(Peer.class) + File.pathSeparator + origin(Await.class);
            return withJfs ? tests + File.pathSeparator + jfs : tests;
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
    public static Start jfs() {
        return new Start(true).with("-Djfs.native.dir=" + System.getProperty("jfs.native.dir"));
    }

    /** A peer that runs JFS and takes all other processes for another host's, over TCP within this host. */
    public static Start jfsOverMx() throws URISyntaxException {
        return jfs().with("-Djfs.rules=" + Path.of(Child.class.getResource("/mx.rules").toURI()))
                .with("-Djfs.hosts.ports=" + PortsOverMx.RANGE).with("-Djfs.mx.library=shim")
                .under("env", "UCX_TLS=tcp", "MX_SHIM_ADDRESS=127.0.0.1");
    }

    /** The ports at which these peers find each other, but no other JVM. */
    private static final class PortsOverMx {
        static final String RANGE = FreePorts.range();
    }

    /** A peer that runs JFS with other natives. */
    public static Start jfsWithNatives(String folder) {
        return new Start(true).with("-Djfs.native.dir=" + folder);
    }

    /** A peer that runs this build with other classes in place of some of its own. */
    public static Start jfsWithClasses(Path folder) {
        Start start = jfs();
        start.jfs = folder + File.pathSeparator + start.jfs;
        return start;
    }

    /** A peer that runs another build, classes and natives. */
    public static Start jfsOf(Path jar) {
        Start start = new Start(true);
        start.jfs = jar.toString();
        return start;
    }

    /** A peer of the JDK's own sockets. */
    public static Start plain() {
        return new Start(false);
    }

    private Child(Process process) {
        this.process = process;
        this.orders = new PrintStream(process.getOutputStream(), true);
        reader = new Thread(this::readAnswers, "answers of " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** After a time-out the JVM prints the stacks of its threads to its output, which is a part of the failure's message. */
    private void showThreads(Exception why) {
        if (why instanceof TimeoutException) {
            try {
                new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start().waitFor();
                TimeUnit.SECONDS.sleep(1); // a stopped JVM prints nothing
            } catch (IOException | InterruptedException e) {
                otherOutput.append('\n').append(e);
            }
        }
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

    /** An order that the peer was given. */
    public final class Order {
        private final int number;
        private final String text;
        private final CompletableFuture<String> answer = new CompletableFuture<>();

        private Order(int number, String text) {
            this.number = number;
            this.text = text;
        }

        /** The answer to the order. */
        public String result() {
            return resultWithin(Await.LIMIT.toNanos());
        }

        public String resultWithin(long nanos) {
            try {
                return answer.get(nanos, TimeUnit.NANOSECONDS);
            } catch (TimeoutException | ExecutionException | InterruptedException e) {
                showThreads(e);
                throw new AssertionError("\"" + text + "\" of peer " + process.pid() + ": " + e + otherOutput, e);
            }
        }

        /** Returns when the order's thread waits in a socket. */
        public Order blocked() {
            assertEquals("done", tell("blocked " + number));
            return this;
        }

        public int number() {
            return number;
        }

        /** The method in which the order's thread is. */
        public String in() {
            return tell("in " + number);
        }

        /** The classes on the stack of the order's thread. */
        public List<String> stack() {
            return List.of(tell("stack " + number).split(" "));
        }

        public void isDone() {
            assertEquals("done", result(), text);
        }

        /** Waits for the first of the two answers. Returns whether this order's has come. */
        public boolean isAnsweredBefore(Order other) {
            try {
                CompletableFuture.anyOf(answer, other.answer).get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
            } catch (TimeoutException | ExecutionException | InterruptedException e) {
                throw new AssertionError("neither \"" + text + "\" nor \"" + other.text + "\": " + e + otherOutput, e);
            }
            return answer.isDone();
        }
    }

    /** Gives an order. */
    public Order begin(String order) {
        Order it;
        synchronized (this) {
            it = new Order(++last, order);
            unanswered.put(it.number, it);
            orders.println(it.number + " " + order);
        }
        if (!process.isAlive()) {
            it.answer.completeExceptionally(hasEnded());
        }
        return it;
    }

    /** The exception for an order to a process that has ended. The rest of its output has been read then. */
    private IOException hasEnded() {
        try {
            reader.join(Await.LIMIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new IOException("the peer has ended with " + process.exitValue());
    }

    /** Gives an order and returns its result. */
    public String tell(String order) {
        return begin(order).result();
    }

    public long ask(String order) {
        return Long.parseLong(tell(order));
    }

    /** The reasons that the peer has counted. */
    public String fallbacks() {
        return tell("fallbacks");
    }

    /** What the peer has printed beside its answers: its log. */
    public String log() {
        return otherOutput.toString();
    }

    public long pid() {
        return process.pid();
    }

    /** Kills the process by SIGKILL. Returns the time at which the signal was sent. */
    public long kill() {
        long now = System.nanoTime();
        process.destroyForcibly();
        return now;
    }

    public void awaitEnd() throws InterruptedException {
        if (!process.waitFor(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("peer " + process.pid() + " does not end");
        }
    }

    /** Kills the process, if it has not ended. */
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
