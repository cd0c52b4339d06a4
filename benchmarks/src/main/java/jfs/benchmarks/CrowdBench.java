package jfs.benchmarks;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures more conversations than there are cores. */
@Command(
        name = "crowd",
        mixinStandardHelpOptions = true,
        description = "Many connections between two JVMs, of which some or all talk at once, a thread for each end: rate, CPU, latency.")
final class CrowdBench implements Callable<Integer> {
    private static final String LOOPBACK = "127.0.0.1";
    private static final List<Side> SIDES = List.of(Side.JDK, Side.JFS);
    private static final String JDK = Side.JDK.toString();
    private static final String JFS = Side.JFS.toString();
    private static final String FLOOR = "C floor";
    private static final String ROUND = "round";
    private static final String PROCESSOR = "processor";
    private static final List<String> PERCENTILES = List.of("p50", "p99", "p999");
    private static final double SECONDS_MAX = 20; // a turn must end before those who wait for it give up

    /** So many connections, of which so many talk. */
    record Crowd(int connections, int talking) {
        private boolean allTalk() {
            return talking == connections;
        }

        private boolean isAlone() {
            return talking == 1;
        }

        @Override
        public String toString() {
            return allTalk() ? Integer.toString(connections) : connections + ":" + talking;
        }
    }

    @Spec
    private CommandSpec spec;

    @Mixin
    private Installation installation;

    @Mixin
    private Surroundings surroundings;

    @Option(
            names = "--crowds", split = ",", paramLabel = "CONNECTIONS[:TALKING]",
            defaultValue = "1,2,8,32,64,1000:100,5000:500",
            description = "How many connections, and how many of these talk; all if that is not given (default: ${DEFAULT-VALUE}).")
    private List<String> crowds;

    @Option(names = "--bytes", paramLabel = "N", defaultValue = "64", description = "Of a request (default: ${DEFAULT-VALUE}).")
    private int bytes;

    @Option(
            names = "--forks", paramLabel = "N", defaultValue = "3",
            description = "Fresh JVMs for each side and crowd (default: ${DEFAULT-VALUE}).")
    private int forks;

    @Option(
            names = "--turns", paramLabel = "N", defaultValue = "5",
            description = "For each crowd and fork (default: ${DEFAULT-VALUE}).")
    private int turns;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "1", description = "Of a turn (default: ${DEFAULT-VALUE}).")
    private double seconds;

    private final Map<String, Turns<String>> measured = new HashMap<>();
    private long switched;
    private long shouldSwitch;

    @Override
    public Integer call() throws ChildFailure, InterruptedException {
        installation.check();
        installation.checkFile("--floor", installation.floor().folder().resolve("crowd"));
        OptionValues.check(spec, "--bytes", bytes, bytes >= 1, "1 or more");
        OptionValues.check(spec, "--forks", forks, forks >= 1, "1 or more");
        OptionValues.check(spec, "--turns", turns, turns >= 1, "1 or more");
        OptionValues.check(spec, "--seconds", seconds, seconds > 0 && seconds <= SECONDS_MAX, "more than 0 and at most " + SECONDS_MAX);
        List<Crowd> all = crowds.stream().map(this::crowd).distinct().toList();
        Progress progress = new Progress(System.err);
        try (Surroundings.Loops loops = surroundings.begin()) {
            for (Crowd crowd : all) {
                for (int fork = 1; fork <= forks; fork++) {
                    String title = String.format("%s connections, fork %d of %d", crowd, fork, forks);
                    progress.now(title);
                    fork(crowd);
                    progress.done(title);
                }
            }
        }
        print(all);
        return 0;
    }

    private Crowd crowd(String text) {
        String[] numbers = text.split(":", -1);
        try {
            int connections = Integer.parseInt(numbers[0]);
            int talking = numbers.length == 1 ? connections : Integer.parseInt(numbers[1]);
            if (numbers.length <= 2 && talking >= 1 && talking <= connections) {
                return new Crowd(connections, talking);
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new ParameterException(spec.commandLine(), "--crowds: " + text
                + " is not CONNECTIONS or CONNECTIONS:TALKING, with 1 or more talking and no more than there are connections");
    }

    /** The figures of one fork, by what they are of and by who has measured them; one for each turn. */
    private final class Figures {
        private final Map<String, Map<String, double[]>> values = new HashMap<>();

        void keep(String key, String who, int turn, double value) {
            values.computeIfAbsent(key, none -> new HashMap<>()).computeIfAbsent(who, none -> new double[turns])[turn] = value;
        }
    }

    /** Every other turn begins with the other side. */
    private void fork(Crowd crowd) throws ChildFailure, InterruptedException {
        Map<Side, Players> playing = new EnumMap<>(Side.class);
        Figures figures = new Figures();
        try {
            for (Side side : SIDES) {
                playing.put(side, start(side, crowd));
            }
            List<Side> order = new ArrayList<>(SIDES);
            for (int turn = 0; turn < turns; turn++) {
                for (Side side : order) {
                    Players.Turn taken = playing.get(side).take(seconds, 1);
                    figures.keep(ROUND, side.toString(), turn, taken.round());
                    figures.keep(PROCESSOR, side.toString(), turn, taken.processor());
                    for (String percentile : PERCENTILES) {
                        figures.keep(percentile, side.toString(), turn, taken.seconds(percentile));
                    }
                }
                Floor.Crowd floor = installation.floor().crowd(crowd.talking, seconds, surroundings::confine);
                figures.keep(ROUND, FLOOR, turn, floor.round());
                figures.keep(PROCESSOR, FLOOR, turn, floor.processor());
                Collections.reverse(order);
            }
            for (Map.Entry<Side, Players> one : playing.entrySet()) {
                List<String> output = one.getValue().finish();
                if (one.getKey() == Side.JFS) {
                    switched += SwitchLog.connections(output, one.getValue().port());
                    shouldSwitch += crowd.talking;
                }
            }
        } finally {
            playing.values().forEach(Players::close);
        }
        figures.values.forEach((key, values) -> of(crowd, key).add(values));
    }

    private Players start(Side side, Crowd crowd) throws ChildFailure, InterruptedException {
        List<String> server = List.of("workloads.many.ManyServer", LOOPBACK, "0");
        return Players.start(side.toString(), command(side.server(), server),
                port -> command(side.client(), List.of("workloads.many.CrowdClient", LOOPBACK, port,
                        Integer.toString(crowd.connections), Integer.toString(crowd.talking), Integer.toString(bytes))));
    }

    private List<String> command(Side.Start start, List<String> program) {
        return surroundings.confine(installation.java(start, Workload.programs(), program, "all"));
    }

    private Turns<String> of(Crowd crowd, String key) {
        return measured.computeIfAbsent(crowd + " " + key, none -> new Turns<>());
    }

    private void print(List<Crowd> all) {
        Table table = new Table("connections", "", "1000/s", "to JDK", "interval", "CPU us", "to JDK", "interval", "p50 us", "p99 us",
                "p99.9 us");
        List<Goal> goals = new ArrayList<>();
        for (Crowd crowd : all) {
            for (String who : List.of(JDK, JFS, FLOOR)) {
                row(table, crowd, who);
            }
            goals.addAll(goals(crowd));
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println();
        out.print(table);
        out.println("(requests of all connections; CPU: of a request, both ends; floor: a pair of threads for each that talks, 64 bytes)");
        out.println(Turns.legend(forks, turns));
        out.println();
        goals.forEach(out::println);
        out.printf("%d of %d talking JFS connections were switched%s.%n", switched, shouldSwitch,
                switched == shouldSwitch ? "" : "; the others ran over plain TCP");
        out.flush();
    }

    private void row(Table table, Crowd crowd, String who) {
        Statistics.Estimate rate = of(crowd, ROUND).ratio(JDK, who);
        Statistics.Estimate cpu = of(crowd, PROCESSOR).ratio(who, JDK);
        List<String> cells = new ArrayList<>(List.of(crowd.toString(), who, Table.number(1e-3 / of(crowd, ROUND).median(who))));
        cells.addAll(who.equals(JDK) ? List.of("", "") : List.of(Table.number(rate.median()), rate.interval()));
        cells.add(micros(crowd, PROCESSOR, who));
        cells.addAll(who.equals(JDK) ? List.of("", "") : List.of(Table.number(cpu.median()), cpu.interval()));
        for (String percentile : PERCENTILES) {
            cells.add(who.equals(FLOOR) ? "" : micros(crowd, percentile, who));
        }
        table.add(cells.toArray(String[]::new));
    }

    private List<Goal> goals(Crowd crowd) {
        double rate = of(crowd, ROUND).ratio(JDK, JFS).median();
        double cpu = of(crowd, PROCESSOR).ratio(JFS, JDK).median();
        String rates = crowd + " connections: requests a second to the JDK's";
        String cpus = crowd + " connections: CPU of a request";
        if (!surroundings.isQuiet() || crowd.allTalk() && crowd.isAlone()) {
            return List.of(Goal.atLeast(surroundings.leastGain(crowd.isAlone()), rates, rate));
        }
        if (!crowd.allTalk()) {
            return List.of(Goal.atLeast(1.2, rates, rate), Goal.atMost(0.9, cpus, cpu));
        }
        double late = of(crowd, "p99").ratio(JFS, JDK).median();
        return List.of(Goal.atLeast(3, rates, rate), Goal.atMost(0.4, cpus, cpu),
                Goal.atMost(1, crowd + " connections: 99th percentile", late));
    }

    private String micros(Crowd crowd, String key, String who) {
        return Table.number(of(crowd, key).median(who) * 1e6);
    }
}
