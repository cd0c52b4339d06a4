package jfs.benchmarks;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * SCILib's message queues. Virtual cores change place under a running program, and one way takes six times as long between
 * those that are far apart: so floor, C and Java take turns of a fiftieth of a second, and each turn is compared in itself.
 */
@Command(
        name = "scilib",
        mixinStandardHelpOptions = true,
        description = "A message there and back through two SCILib queues, in C and in Java, in turns with the floor.")
final class QueueBench implements Callable<Integer> {
    private static final double TURN_SECONDS = 0.02;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Pattern FIRST_QUEUE = Pattern.compile("^port (\\d+)$");
    private static final Pattern WARM = Pattern.compile("^warm$");

    @Spec
    private CommandSpec spec;

    @Mixin
    private Installation installation;

    @Option(
            names = "--forks", paramLabel = "N", defaultValue = "11",
            description = "Fresh pairs of JVMs for each size (default: ${DEFAULT-VALUE}).")
    private int forks;

    @Option(
            names = "--sizes", split = ",", paramLabel = "BYTES", defaultValue = "8,64,1024,8192,65536",
            description = "Default: ${DEFAULT-VALUE}.")
    private List<Integer> sizes;

    @Option(
            names = "--turns", paramLabel = "N", defaultValue = "15",
            description = "For each size and fork, once the compiler has little left to do (default: ${DEFAULT-VALUE}).")
    private int turns;

    /** Nanoseconds one way, of each turn its best trial. */
    private record Turn(double floor, double c, double java) {}

    /** Of each fork the medians of its turns. */
    private static final class Row {
        private final List<Double> floor = new ArrayList<>();
        private final List<Double> c = new ArrayList<>();
        private final List<Double> java = new ArrayList<>();
        private final List<Double> cToFloor = new ArrayList<>();
        private final List<Double> javaToC = new ArrayList<>();

        void add(List<Turn> turns) {
            floor.add(median(turns.stream().map(Turn::floor).toList()));
            c.add(median(turns.stream().map(Turn::c).toList()));
            java.add(median(turns.stream().map(Turn::java).toList()));
            cToFloor.add(median(turns.stream().map(turn -> turn.c / turn.floor).toList()));
            javaToC.add(median(turns.stream().map(turn -> turn.java / turn.c).toList()));
        }

        static double median(List<Double> values) {
            return Statistics.median(array(values));
        }

        static Statistics.Estimate estimate(List<Double> values) {
            return Statistics.estimate(array(values), Measurements.COVERAGE);
        }

        private static double[] array(List<Double> values) {
            return values.stream().mapToDouble(Double::doubleValue).toArray();
        }
    }

    @Override
    public Integer call() throws ChildFailure, InterruptedException {
        installation.check();
        Map<Integer, Row> rows = new LinkedHashMap<>();
        sizes.forEach(bytes -> rows.put(bytes, new Row()));
        Progress progress = new Progress(System.err);
        for (int fork = 1; fork <= forks; fork++) {
            String title = String.format("fork %d of %d", fork, forks);
            for (Map.Entry<Integer, Row> row : rows.entrySet()) {
                progress.now(title + "  " + row.getKey() + " bytes");
                row.getValue().add(turns(row.getKey()));
            }
            progress.done(title);
        }
        print(rows);
        return 0;
    }

    private List<Turn> turns(int bytes) throws ChildFailure, InterruptedException {
        try (Child server = start("server", bytes, "serve")) {
            String first = server.awaitLine(FIRST_QUEUE, LIMIT).group(1);
            try (Child client = start("client", bytes, "pingpong", first)) {
                client.awaitLine(WARM, LIMIT);
                List<Turn> all = new ArrayList<>();
                for (int i = 0; i < turns; i++) {
                    all.add(turn(client, i, bytes));
                }
                client.hangUp();
                client.awaitSuccess(LIMIT);
                return all;
            } catch (ChildFailure failure) {
                throw new ChildFailure(failure.getMessage() + server.tail());
            }
        }
    }

    /** Every other one begins at the other end, so that a drift within it favours none. */
    private Turn turn(Child client, int number, int bytes) throws ChildFailure, InterruptedException {
        Floor floor = installation.floor();
        double[] nanos = new double[3];
        for (int i = 0; i < nanos.length; i++) {
            int which = number % 2 == 0 ? i : nanos.length - 1 - i;
            nanos[which] = switch (which) {
                case 0 -> floor.leastOfSharedMemory(bytes, TURN_SECONDS) * 1e9;
                case 1 -> floor.leastOfQueues(bytes, TURN_SECONDS) * 1e9;
                default -> java(client, number);
            };
        }
        return new Turn(nanos[0], nanos[1], nanos[2]);
    }

    private static double java(Child client, int number) throws ChildFailure, InterruptedException {
        client.say(Double.toString(TURN_SECONDS));
        Pattern result = Pattern.compile("^result " + number + " (\\S+)$");
        return Double.parseDouble(client.awaitLine(result, LIMIT).group(1));
    }

    private Child start(String end, int bytes, String... arguments) throws ChildFailure {
        List<String> program = new ArrayList<>(List.of("workloads.queues.PingPong", Integer.toString(bytes)));
        program.addAll(List.of(arguments));
        String classPath = Workload.ownJar() + ":" + installation.jar();
        return Child.start("the queues' " + end, installation.java(Side.Start.PLAIN, classPath, program, "off"), line -> {});
    }

    private void print(Map<Integer, Row> rows) {
        Table table = new Table("bytes", "floor us", "C us", "Java us", "C/floor", "interval", "Java/C", "interval");
        List<Goal> goals = new ArrayList<>();
        rows.forEach((bytes, row) -> {
            Statistics.Estimate toFloor = Row.estimate(row.cToFloor);
            Statistics.Estimate toC = Row.estimate(row.javaToC);
            table.add(bytes.toString(), micros(row.floor), micros(row.c), micros(row.java),
                    Table.number(toFloor.median()), toFloor.interval(), Table.number(toC.median()), toC.interval());
            if (bytes == 8) {
                goals.add(Goal.overFloor(1.5, "8 bytes: C over SCILib to the C floor", toFloor.median()));
            }
            goals.add(Goal.atMost(1.5, bytes + " bytes: Java to C over the same queues", toC.median()));
        });
        PrintWriter out = spec.commandLine().getOut();
        out.println();
        out.print(table);
        out.printf(
                Locale.ROOT, "(medians of %d forks; a fork's figures are the medians of its %d turns)%n", forks, turns);
        out.println();
        goals.forEach(out::println);
        out.flush();
    }

    private static String micros(List<Double> nanos) {
        return Table.number(Row.median(nanos) / 1000);
    }
}
