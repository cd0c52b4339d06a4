package jfs.launcher.selftest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A conversation between two JVMs that run {@link Talk} with JFS. The two JVMs have the settings of this one, and those that are given.
 * When {@link #run} returns, both have ended.
 */
final class Conversation {

    private static final int SECONDS = 40;
    /** So many lines of a JVM that could not start are quoted. */
    private static final int WORDS_LINES = 4;
    private static final Pattern ATTACHED = Pattern.compile("(?m)^jfs: attached .* over (\\S+)$");
    private static final Pattern FALLBACK = Pattern.compile(
            "(?m)^(?:jfs: fallback .* ([A-Z_]+: .*)|jfs: (no fast path .*)|jfs: ((?:bad|unknown|can't|this) .*))$");

    /**
     * How it went.
     *
     * @param fault what went wrong at all; null if every byte arrived and was right
     * @param transport the transport by which both directions went at both ends; null if one stayed on TCP
     * @param reason the reason that the log gives for that, with its text; null if there is none
     * @param checked bytes that both ends have compared
     */
    record Outcome(String fault, String transport, String reason, long checked) {
    }

    private final Path jar;
    private final String kind;
    private final Map<String, String> settings;
    private final Map<String, String> environment;

    /**
     * @param kind what the programs use: {@code socket} or {@code channel}
     * @param settings of JFS, in addition to those of this JVM
     * @param environment variables, in addition to those of this JVM
     */
    Conversation(Path jar, String kind, Map<String, String> settings, Map<String, String> environment) {
        this.jar = jar;
        this.kind = kind;
        this.settings = settings;
        this.environment = environment;
    }

    /** Blocks until both JVMs have ended, at most {@value #SECONDS} seconds for each. */
    Outcome run() {
        try (End server = new End("server", kind)) {
            String port = server.port();
            if (port == null) {
                return new Outcome("the server's JVM did not start: " + server.ended(), null, reason(server), 0);
            }
            try (End client = new End("client", kind, port)) {
                String fault = client.ended();
                fault = fault != null ? fault : server.ended();
                if (fault != null) {
                    return new Outcome(fault, null, reason(client, server), 0);
                }
                Matcher attached = ATTACHED.matcher(client.log());
                boolean fast = client.word(1).equals("true") && server.word(1).equals("true") && attached.find();
                return new Outcome(null, fast ? attached.group(1) : null, reason(client, server),
                        Long.parseLong(client.word(2)) + Long.parseLong(server.word(2)));
            }
        } catch (IOException e) {
            return new Outcome("a JVM can't be started: " + e.getMessage(), null, null, 0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Outcome("interrupted", null, null, 0);
        }
    }

    /** The last reason in the log of the first end that has one. */
    private static String reason(End... ends) throws InterruptedException {
        for (End end : ends) {
            Matcher matcher = FALLBACK.matcher(end.log());
            String last = null;
            while (matcher.find()) {
                last = matcher.group(1) != null ? matcher.group(1) : matcher.group(2) != null ? matcher.group(2) : matcher.group(3);
            }
            if (last != null) {
                return last;
            }
        }
        return null;
    }

    private List<String> command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC", "-Xmx128m", "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir")));
        for (String name : System.getProperties().stringPropertyNames()) {
            if (name.startsWith("jfs.") && !settings.containsKey(name)) {
                command.add("-D" + name + "=" + System.getProperty(name));
            }
        }
        settings.forEach((name, value) -> command.add("-D" + name + "=" + value));
        command.addAll(List.of("-javaagent:" + jar, "-cp", jar.toString(), Talk.class.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** One JVM. */
    private final class End implements AutoCloseable {
        private final String name;
        private final Process process;
        /** The port of the server; null if it ends without one. */
        private final CompletableFuture<String> port = new CompletableFuture<>();
        /** Its stdout: lines of {@link Talk}, and what the JVM itself says. If a JVM can't start, it says there why. */
        private final CompletableFuture<String> out;
        private final CompletableFuture<String> log;

        End(String... arguments) throws IOException {
            ProcessBuilder builder = new ProcessBuilder(command(arguments));
            // Another agent or other options would make it another JVM. They are in the properties of this one already.
            builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"));
            builder.environment().putAll(environment);
            name = arguments[0];
            process = builder.start();
            out = inBackground(this::readOut);
            log = inBackground(() -> new String(process.getErrorStream().readAllBytes(), Charset.defaultCharset()));
        }

        private String readOut() throws IOException {
            StringBuilder text = new StringBuilder();
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), Charset.defaultCharset()))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith(Talk.PORT)) {
                        port.complete(line.substring(Talk.PORT.length()));
                    }
                    text.append(line).append('\n');
                }
            } finally {
                port.complete(null);
            }
            return text.toString();
        }

        /** The port of the server; null if it prints none in time. */
        String port() throws InterruptedException {
            return get(port);
        }

        /** Waits for its end. @return null, or what went wrong */
        String ended() throws InterruptedException {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                return "the " + name + " did not end within " + SECONDS + " s";
            }
            return process.exitValue() == 0 && numbers() != null ? null
                    : "the " + name + " ended with exit code " + process.exitValue() + ": " + lastWords();
        }

        /** What the JVM itself says on stdout, without its warnings; if there is nothing, the end of the log. */
        private String lastWords() throws InterruptedException {
            String ofJvm = out().filter(it -> !it.matches("(" + Talk.PORT + "|" + Talk.DONE + "|\\[).*|[#\\s]*")).limit(WORDS_LINES)
                    .collect(Collectors.joining("; "));
            return !ofJvm.isEmpty() ? ofJvm
                    : log().lines().filter(it -> !it.startsWith("\t")).reduce((a, b) -> b).orElse("it said nothing");
        }

        private Stream<String> out() throws InterruptedException {
            String text = get(out);
            return text == null ? Stream.empty() : text.lines();
        }

        /** The line with its numbers; null if it has printed none. */
        private String numbers() throws InterruptedException {
            return out().filter(it -> it.startsWith(Talk.DONE)).findFirst().orElse(null);
        }

        String word(int number) throws InterruptedException {
            return numbers().split(" ")[number];
        }

        String log() throws InterruptedException {
            String text = process.isAlive() ? null : get(log);
            return text == null ? "" : text;
        }

        @Override
        public void close() {
            process.destroyForcibly();
            process.onExit().join();
        }
    }

    private static String get(CompletableFuture<String> future) throws InterruptedException {
        try {
            return future.completeOnTimeout(null, SECONDS, TimeUnit.SECONDS).get();
        } catch (ExecutionException e) {
            return null;
        }
    }

    private interface Reading {
        String read() throws IOException;
    }

    private static CompletableFuture<String> inBackground(Reading reading) {
        CompletableFuture<String> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(reading.read());
            } catch (IOException e) {
                result.complete(null);
            }
        }, "output of a child");
        thread.setDaemon(true);
        thread.start();
        return result;
    }
}
