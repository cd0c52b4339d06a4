package jfs.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs {@link Peer} as two fresh JVMs for each side and fork, the sides alternating, and pairs the results fork by fork: what a fork
 * happens to get (compiled code, memory, the neighbours' load) is part of what varies, and its two sides see the same hour.
 */
final class Paired {
    static final double COVERAGE = 0.95;

    private static final Duration START_LIMIT = Duration.ofSeconds(20);
    private static final Duration RUN_LIMIT = Duration.ofSeconds(120);
    private static final Pattern PORT = Pattern.compile("^port (\\d+)$");
    private static final Pattern RESULT = Pattern.compile("^result (\\S+) (\\S+)$");

    private final Installation installation;
    private final int forks;
    private final String mode;
    private final String log;
    private final List<String> arguments;
    private final Map<Side, Map<String, List<Double>>> results = new EnumMap<>(Side.class);
    private final Progress progress = new Progress(System.err);
    private int switchedForks;

    Paired(Installation installation, int forks, String mode, String log, List<String> arguments) {
        this.installation = installation;
        this.forks = forks;
        this.mode = mode;
        this.log = log;
        this.arguments = arguments;
        for (Side side : Side.values()) {
            results.put(side, new LinkedHashMap<>());
        }
    }

    /** What is measured in each fork before and after the two sides. */
    interface Beside {
        void run(int fork) throws ChildFailure, InterruptedException;
    }

    void run(Beside beside) throws ChildFailure, InterruptedException {
        for (int fork = 1; fork <= forks; fork++) {
            progress.now(String.format("fork %d of %d  floor", fork, forks));
            beside.run(fork);
            List<Side> order = fork % 2 == 1 ? List.of(Side.JDK, Side.JFS) : List.of(Side.JFS, Side.JDK);
            for (Side side : order) {
                progress.now(String.format("fork %d of %d  %s", fork, forks, side));
                pair(side);
            }
            progress.now(String.format("fork %d of %d  floor", fork, forks));
            beside.run(fork);
            progress.done(String.format("fork %d of %d", fork, forks));
        }
    }

    private void pair(Side side) throws ChildFailure, InterruptedException {
        try (Child server = Child.start("the server over " + side, command(side, List.of("serve")), line -> {})) {
            String port = server.awaitLine(PORT, START_LIMIT).group(1);
            List<String> clientArguments = new ArrayList<>(List.of(mode, port));
            clientArguments.addAll(arguments);
            try (Child client = Child.start("the client over " + side, command(side, clientArguments), line -> {})) {
                List<String> output;
                try {
                    output = client.awaitSuccess(RUN_LIMIT);
                } catch (ChildFailure failure) {
                    throw new ChildFailure(failure.getMessage() + server.tail());
                }
                output.forEach(line -> record(side, line));
                if (side == Side.JFS && (SwitchLog.of(output, Integer.parseInt(port)).switched())) {
                    switchedForks++;
                }
            }
        }
    }

    private List<String> command(Side side, List<String> peerArguments) {
        return installation.java(side, ownJar(), Peer.class.getName(), peerArguments, log);
    }

    /** The jar, or in a development environment the folder, that this class comes from: the peer is in it, too. */
    private static Path ownJar() {
        return Path.of(Paired.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    }

    private void record(Side side, String line) {
        Matcher matcher = RESULT.matcher(line);
        if (matcher.matches()) {
            MatchResult result = matcher.toMatchResult();
            results.get(side).computeIfAbsent(result.group(1), none -> new ArrayList<>()).add(Double.parseDouble(result.group(2)));
        }
    }

    /** Nanoseconds, one for each fork. */
    double[] nanos(Side side, String key) throws ChildFailure {
        List<Double> values = results.get(side).getOrDefault(key, List.of());
        if (values.size() != forks) {
            throw new ChildFailure(String.format(
                    "the client over %s gave %d results of '%s' in %d forks", side, values.size(), key, forks));
        }
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** How many times faster JFS is. */
    Statistics.Estimate gain(String key) throws ChildFailure {
        return ratio(nanos(Side.JDK, key), nanos(Side.JFS, key));
    }

    /** What JFS costs, the JDK being 1. */
    Statistics.Estimate cost(String key) throws ChildFailure {
        return ratio(nanos(Side.JFS, key), nanos(Side.JDK, key));
    }

    static Statistics.Estimate ratio(double[] above, double[] below) {
        double[] ratios = new double[above.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = above[i] / below[i];
        }
        return Statistics.estimate(ratios, COVERAGE);
    }

    String legend() {
        double coverage = Statistics.estimate(new double[forks], COVERAGE).coverage();
        return String.format(
                Locale.ROOT,
                "(medians of %d forks and of their paired ratios; the interval covers the true median with %.1f %%)",
                forks, 100 * coverage);
    }

    /** Whether the figures are those of a fast path at all. */
    String switching() {
        return String.format("The JFS connection was switched in %d of %d forks%s.", switchedForks, forks,
                switchedForks == forks ? "" : "; in the others it ran over plain TCP");
    }
}
