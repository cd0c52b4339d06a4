package jfs.conformance.soak;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import jfs.JFSSocketImplFactory;
import jfs.conformance.harness.processes.Orders;
import jfs.conformance.soak.transfer.EventLoops;
import jfs.conformance.stress.Pauses;
import jfs.stat.Stats;

/** A process of the fleet: a server, or a client of all servers that it was given. */
public final class Node {

    private final Book book = new Book();
    private final Threads threads = new Threads();
    private final Garbage garbage = new Garbage();
    /** Null unless {@code jfs.nio} is on. Otherwise some of the process's ends are channels. */
    private final EventLoops loops;
    private final Client client;
    private final Server server;

    private Node(boolean serves, int number) throws IOException {
        loops = "on".equals(System.getProperty("jfs.nio")) ? loops() : null;
        client = serves ? null : new Client(number, book, threads, loops);
        server = serves ? new Server(book, threads, loops) : null;
    }

    private EventLoops loops() throws IOException {
        if (Stats.channelsUnavailable() != null) {
            throw new IllegalStateException("no channels of JFS's: " + Stats.channelsUnavailable());
        }
        return new EventLoops(e -> book.problem(new Book.Problem("", Book.Problem.NOBODY, "an event loop: " + e)));
    }

    /** Arguments: whether it is a server, its number. */
    public static void main(String[] args) throws IOException {
        JFSSocketImplFactory.install();
        Node node = new Node(Boolean.parseBoolean(args[0]), Integer.parseInt(args[1]));
        new Orders().run(node::obey);
    }

    private Object obey(String order, String[] words) throws Exception {
        switch (order) {
            case "port" -> {
                return server.port();
            }
            case "channelPort" -> {
                return server.channelPort();
            }
            case "target" -> // server, port, port of channels
                client.add(new Client.Target(Integer.parseInt(words[2]), Integer.parseInt(words[3]), Integer.parseInt(words[4])));
            case "forget" -> // server
                client.remove(Integer.parseInt(words[2]));
            case "begin" -> { // seed, conversations at the same time, short ones a second, idle ones
                garbage.begin();
                if (client != null) {
                    client.begin(Long.parseLong(words[2]), Integer.parseInt(words[3]), Integer.parseInt(words[4]),
                            Integer.parseInt(words[5]));
                }
            }
            case "rest" -> {
                garbage.end();
                if (client != null) {
                    client.rest();
                }
            }
            case "rests" -> {
                return book.open() == 0 && threads.platformThreads() == 0 && (client == null || client.isAtRest());
            }
            case "hold" -> // how many
                client.hold(Integer.parseInt(words[2]), Long.parseLong(words[3]));
            case "held" -> {
                return client.held();
            }
            case "figures" -> {
                return figures();
            }
            case "problems" -> {
                return lines(book.takeProblems().stream().map(Book.Problem::encoded).toList());
            }
            case "silent" -> { // seconds
                return lines(book.silent(TimeUnit.SECONDS.toNanos(Long.parseLong(words[2]))));
            }
            case "history" -> { // connection
                return lines(book.history(words[2]).lines().toList());
            }
            case "threads" -> {
                return lines(Inside.threads().lines().toList());
            }
            case "live" -> {
                book.forget();
                return Figures.encoded(Inside.liveBytes());
            }
            case "jfs" -> {
                return Figures.encoded(Inside.liveOfJfs());
            }
            case "native" -> {
                return Figures.encoded(Inside.nativeBytes());
            }
            case "pauses" -> {
                return Figures.encoded(Pauses.slept());
            }
            case "fallbacks" -> {
                return Stats.fallbacks();
            }
            default -> throw new IllegalArgumentException(order);
        }
        return "done";
    }

    private static String lines(List<String> lines) {
        return lines.stream().collect(Collectors.joining(Figures.LINE));
    }

    private String figures() throws IOException {
        long connections = Stats.CONNECTIONS.sum();
        long attached = Stats.fast();
        long fallbacks = Stats.fallbacks().values().stream().mapToLong(Long::longValue).sum();
        Map<String, Long> figures = new HashMap<>(Map.of("ended", book.ended.sum(), "open", (long) book.open(), "read", book.read.sum(),
                "written", book.written.sum(), "timeouts", book.timeouts.sum(), "heap", Inside.heapAfterCollection(),
                "threads", (long) Inside.threadCount(), "connections", connections, "attached", attached, "undecided",
                connections - attached - fallbacks));
        figures.put("plainChannels", Stats.PLAIN_CHANNELS.sum());
        figures.put("keys", loops == null ? 0 : loops.keys());
        return Figures.encoded(figures);
    }
}
