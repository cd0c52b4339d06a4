package jfs.benchmarks.processes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A server and a client that keep running, in two JVMs or in one. The client measures when it is their turn, see {@link workloads.Player}.
 */
public final class Players implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final long END_SECONDS = 10;
    /** The line that a server prints when it can be used, see {@code workloads}. */
    public static final Pattern PORT = Pattern.compile("^port (\\d+)$");
    private static final Pattern READY = Pattern.compile("^ready$");
    private static final Pattern WARM = Pattern.compile("^warm$");

    /** Which of a turn's trials counts. */
    public enum Trial {
        LEAST,
        MEDIAN
    }

    /**
     * One turn.
     *
     * @param figures the figures that the client has measured, by name; times are nanoseconds
     * @param clientSeconds processor time of the client; the clock of processor time ticks every 10 ms
     * @param serverSeconds processor time of the server
     */
    public record Turn(Map<String, Double> figures, double clientSeconds, double serverSeconds) {
        /** Processor time of both processes together. */
        public double processorSeconds() {
            return clientSeconds + serverSeconds;
        }

        public double figure(String key) throws ChildFailure {
            Double value = figures.get(key);
            if (value == null) {
                throw new ChildFailure("the client has no result '" + key + "', but " + figures.keySet());
            }
            return value;
        }

        /** A time that the client has measured, in seconds. */
        public double seconds(String key) throws ChildFailure {
            return figure(key) * 1e-9;
        }

        /** Seconds of a round trip, averaged over the whole turn. With several threads: from the end of one round trip to the next end. */
        public double round() throws ChildFailure {
            return seconds("nanos") / figure("rounds");
        }

        /** The part of one round trip in a figure that counts the whole turn. */
        public double each(String key) throws ChildFailure {
            return figure(key) / figure("rounds");
        }

        /** Seconds of processor time for a round trip. */
        public double processor() throws ChildFailure {
            return processorSeconds() / figure("rounds");
        }

        /** The client's part of {@link #processor}. */
        public double clientProcessor() throws ChildFailure {
            return clientSeconds / figure("rounds");
        }

        /** The server's part of {@link #processor}. */
        public double serverProcessor() throws ChildFailure {
            return serverSeconds / figure("rounds");
        }
    }

    /** null: the client's JVM is the server's too. */
    private final Child server;
    private final Child client;
    private final int port;
    private int turn;

    private Players(Child server, Child client, int port) {
        this.server = server;
        this.client = client;
        this.port = port;
    }

    /**
     * Starts both processes. Returns when both are warm.
     *
     * @param client makes the client's command line from the port that the server has printed
     */
    public static Players start(String name, List<String> server, Function<String, List<String>> client)
            throws ChildFailure, InterruptedException {
        return start(name, server, client, WARM);
    }

    /** The same, but returns when both can be used. The first turn is then their first work, and {@link #warmUp} comes later. */
    public static Players startCold(String name, List<String> server, Function<String, List<String>> client)
            throws ChildFailure, InterruptedException {
        return start(name, server, client, READY);
    }

    private static Players start(String name, List<String> server, Function<String, List<String>> client, Pattern state)
            throws ChildFailure, InterruptedException {
        Child serving = Child.start("the server of " + name, server, line -> {});
        Child asking = null;
        try {
            String port = serving.awaitLine(PORT, LIMIT).group(1);
            asking = Child.start("the client of " + name, client.apply(port), line -> {});
            Players players = new Players(serving, asking, Integer.parseInt(port));
            players.await(state);
            return players;
        } catch (ChildFailure | InterruptedException e) {
            serving.close();
            if (asking != null) {
                asking.close();
            }
            throw e;
        }
    }

    /** Starts a JVM that is both. Returns when it can be used. {@link #warmUp} comes later. Its processor time counts as the client's. */
    public static Players startInProcess(String name, List<String> command) throws ChildFailure, InterruptedException {
        Child both = Child.start(name, command, line -> {});
        try {
            int port = Integer.parseInt(both.awaitLine(PORT, LIMIT).group(1));
            Players players = new Players(null, both, port);
            players.await(READY);
            return players;
        } catch (ChildFailure | InterruptedException e) {
            both.close();
            throw e;
        }
    }

    /** Warms up processes that were started cold. Returns when both are warm. @param least seconds */
    public void warmUp(int least) throws ChildFailure, InterruptedException {
        client.say("warm " + least);
        await(WARM);
    }

    /** Takes a turn. @param trials the most trials within these seconds @return seconds one way, in the trial that counts */
    public double take(double seconds, int trials, Trial trial) throws ChildFailure, InterruptedException {
        return take(seconds, trials).seconds(trial == Trial.LEAST ? "least" : "median");
    }

    /** Takes a turn. A program may answer a turn of 0 seconds with other figures. */
    public Turn take(double seconds, int trials) throws ChildFailure, InterruptedException {
        return take(List.of(this), seconds, trials).get(0);
    }

    /** Takes one turn of each pair, all at the same time. */
    public static List<Turn> take(List<Players> all, double seconds, int trials) throws ChildFailure, InterruptedException {
        List<Used> before = new ArrayList<>();
        for (Players players : all) {
            before.add(players.used());
        }
        all.forEach(players -> players.client.say(seconds + " " + trials));
        List<Turn> turns = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            turns.add(all.get(i).awaitTurn(before.get(i)));
        }
        return turns;
    }

    /** Seconds of processor time that both processes have used so far. */
    private record Used(double client, double server) {}

    private Used used() {
        return new Used(client.processorSeconds(), server == null ? 0 : server.processorSeconds());
    }

    private Turn awaitTurn(Used before) throws ChildFailure, InterruptedException {
        MatchResult result = await(Pattern.compile("^result " + turn++ + " (.*)$"));
        Used now = used();
        Map<String, Double> figures = new HashMap<>();
        for (String figure : result.group(1).split(" ")) {
            String[] keyAndValue = figure.split("=");
            figures.put(keyAndValue[0], Double.parseDouble(keyAndValue[1]));
        }
        return new Turn(figures, now.client() - before.client(), now.server() - before.server());
    }

    /** The server's port. */
    public int port() {
        return port;
    }

    private MatchResult await(Pattern line) throws ChildFailure, InterruptedException {
        try {
            return client.awaitLine(line, LIMIT);
        } catch (ChildFailure failure) {
            throw server == null ? failure : new ChildFailure(failure.getMessage() + server.tail());
        }
    }

    /** All lines that the server has printed so far. */
    public List<String> serverOutput() {
        return server == null ? client.lines() : server.lines();
    }

    /** Ends the client by closing its standard input. @return all lines that the client has printed */
    public List<String> finish() throws ChildFailure, InterruptedException {
        client.hangUp();
        return client.awaitSuccess(LIMIT);
    }

    /** As {@link #close}, and waits until both processes have ended. */
    public void end() throws InterruptedException {
        client.end(END_SECONDS);
        if (server != null) {
            server.end(END_SECONDS);
        }
    }

    @Override
    public void close() {
        client.close();
        if (server != null) {
            server.close();
        }
    }
}
