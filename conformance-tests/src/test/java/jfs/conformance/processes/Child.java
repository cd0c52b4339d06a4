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
import jfs.conformance.FreePorts;

/** A process that obeys {@link Orders}, a {@link Peer} in general, as its parent sees it. */
public final class Child implements AutoCloseable {

    private final Process process;
    private final PrintStream orders;
    private final Thread reader;
    private final Map<Integer, Order> unanswered = new ConcurrentHashMap<>();
    private final StringBuffer otherOutput = new StringBuffer();
    private int last;

    /** How it is to be started. */
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

        /** Another program than a peer, which obeys orders too. */
        public Start running(Class<?> main, String... arguments) {
            program.clear();
            program.add(main.getName());
            program.addAll(List.of(arguments));
            return this;
        }

        /** A JVM option. */
        public Start with(String option) {
            options.add(option);
            return this;
        }

        public Start on(Path otherJavaHome) {
            javaHome = otherJavaHome.toString();
            return this;
        }

        /** As in a container of its own, which has another number for it than {@link Child#pid}. */
        public Start contained() {
            return under(Commands.CONTAINER.toArray(String[]::new));
        }

        /** A command that becomes the JVM, or ends it with itself. */
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

        /** A plain peer can't even find JFS. */
        private String classPath() {
            String tests = origin(Peer.class);
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

    /** A peer that runs JFS and takes all others for another host's, over TCP within this one. */
    public static Start jfsOverMx() throws URISyntaxException {
        return jfs().with("-Djfs.rules=" + Path.of(Child.class.getResource("/mx.rules").toURI()))
                .with("-Djfs.hosts.ports=" + PortsOverMx.RANGE).with("-Djfs.mx.library=shim")
                .under("env", "UCX_TLS=tcp", "MX_SHIM_ADDRESS=127.0.0.1");
    }

    /** Where they find each other, and no other JVM's. */
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

    /** After a time-out: has the JVM print what its threads do to its output, which belongs to the failure's message. */
    private void showThreads(Exception why) {
        if (why instanceof TimeoutException) {
            try {
                new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start().waitFor();
                TimeUnit.SECONDS.sleep(1); // one that is stopped prints nothing
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

    /** Something that a peer was told to do. */
    public final class Order {
        private final int number;
        private final String text;
        private final CompletableFuture<String> answer = new CompletableFuture<>();

        private Order(int number, String text) {
            this.number = number;
            this.text = text;
        }

        /** What it came to. */
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

        /** Returns when it waits in a socket. */
        public Order blocked() {
            assertEquals("done", tell("blocked " + number));
            return this;
        }

        public int number() {
            return number;
        }

        /** The method that its thread is in. */
        public String in() {
            return tell("in " + number);
        }

        /** The classes that its thread is in. */
        public List<String> stack() {
            return List.of(tell("stack " + number).split(" "));
        }

        public void isDone() {
            assertEquals("done", result(), text);
        }

        /** Which of two comes first, when one does. */
        public boolean isAnsweredBefore(Order other) {
            try {
                CompletableFuture.anyOf(answer, other.answer).get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
            } catch (TimeoutException | ExecutionException | InterruptedException e) {
                throw new AssertionError("neither \"" + text + "\" nor \"" + other.text + "\": " + e + otherOutput, e);
            }
            return answer.isDone();
        }
    }

    /** Begins something. */
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

    /** When its last words have been read. */
    private IOException hasEnded() {
        try {
            reader.join(Await.LIMIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new IOException("the peer has ended with " + process.exitValue());
    }

    /** Does something and gives the result. */
    public String tell(String order) {
        return begin(order).result();
    }

    public long ask(String order) {
        return Long.parseLong(tell(order));
    }

    /** The reasons that it has counted. */
    public String fallbacks() {
        return tell("fallbacks");
    }

    /** What it has printed beside its answers: its log. */
    public String log() {
        return otherOutput.toString();
    }

    public long pid() {
        return process.pid();
    }

    /** kill -9; returns when it was sent. */
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
