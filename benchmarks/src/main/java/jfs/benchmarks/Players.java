package jfs.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Two processes that are kept running; the client measures when it is their turn, see {@link workloads.Player}. */
final class Players implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** What a server says when it can be used, see {@code workloads}. */
    static final Pattern PORT = Pattern.compile("^port (\\d+)$");
    private static final Pattern WARM = Pattern.compile("^warm$");

    /** Which of a turn's trials counts. */
    enum Trial {
        LEAST,
        MEDIAN
    }

    /**
     * One turn.
     *
     * @param least seconds one way, of the fastest trial
     * @param median the same of the middle one
     * @param round seconds there and back, averaged over the whole turn
     * @param processor seconds of processor time for a round, of both processes together; its clock ticks every 10 ms
     */
    record Turn(double least, double median, double round, double processor) {}

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
     * Returns when both are warm.
     *
     * @param client its command line, given the port that the server tells
     */
    static Players start(String name, List<String> server, Function<String, List<String>> client)
            throws ChildFailure, InterruptedException {
        Child serving = Child.start("the server of " + name, server, line -> {});
        Child asking = null;
        try {
            String port = serving.awaitLine(PORT, LIMIT).group(1);
            asking = Child.start("the client of " + name, client.apply(port), line -> {});
            Players players = new Players(serving, asking, Integer.parseInt(port));
            players.await(WARM);
            return players;
        } catch (ChildFailure | InterruptedException e) {
            serving.close();
            if (asking != null) {
                asking.close();
            }
            throw e;
        }
    }

    /** Seconds one way, by that one of so many trials within so many seconds. */
    double take(double seconds, int trials, Trial trial) throws ChildFailure, InterruptedException {
        Turn measured = take(seconds, trials);
        return trial == Trial.LEAST ? measured.least : measured.median;
    }

    Turn take(double seconds, int trials) throws ChildFailure, InterruptedException {
        double before = server.processorSeconds() + client.processorSeconds();
        client.say(seconds + " " + trials);
        MatchResult result = await(Pattern.compile("^result " + turn++ + " (\\S+) (\\S+) (\\d+) (\\d+)$"));
        double processor = server.processorSeconds() + client.processorSeconds() - before;
        long rounds = Long.parseLong(result.group(3));
        return new Turn(Double.parseDouble(result.group(1)) * 1e-9, Double.parseDouble(result.group(2)) * 1e-9,
                Long.parseLong(result.group(4)) * 1e-9 / rounds, processor / rounds);
    }

    /** The server's. */
    int port() {
        return port;
    }

    private MatchResult await(Pattern line) throws ChildFailure, InterruptedException {
        try {
            return client.awaitLine(line, LIMIT);
        } catch (ChildFailure failure) {
            throw new ChildFailure(failure.getMessage() + server.tail());
        }
    }

    /** The end of the game, with what the client printed in it. */
    List<String> finish() throws ChildFailure, InterruptedException {
        client.hangUp();
        return client.awaitSuccess(LIMIT);
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
