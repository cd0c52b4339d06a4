package jfs.benchmarks.commands;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.processes.Players;
import jfs.benchmarks.programs.Floor;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.programs.Workload;
import jfs.benchmarks.report.Pages;
import jfs.benchmarks.report.Plot;
import jfs.benchmarks.report.Product;
import jfs.benchmarks.report.Report;
import jfs.benchmarks.statistics.Goal;
import jfs.benchmarks.statistics.Statistics;
import jfs.benchmarks.statistics.Turns;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures SCILib's message queues. The floor, C and Java take {@link Turns}. */
@Command(
        name = "scilib",
        mixinStandardHelpOptions = true,
        description = "A message there and back through two SCILib queues, in C and in Java, in turns with the floor.")
final class QueueBench implements Callable<Integer> {
    private static final double TURN_SECONDS = 0.02;
    private static final int TRIALS = 25; // trials so short that other programs leave some of them undisturbed

    @Mixin
    private Installation installation;

    @Mixin
    private Pages pages;

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

    private enum Program {
        FLOOR("C floor", Product.FLOOR),
        C("C over SCILib", Product.LIBRARY),
        JAVA("Java over SCILib", Product.JFS);

        private final String title;
        private final Product product;

        Program(String title, Product product) {
            this.title = title;
            this.product = product;
        }
    }

    @Override
    public Integer call() throws ChildFailure, InterruptedException {
        installation.check();
        Map<Integer, Turns<Program>> measured = new LinkedHashMap<>();
        sizes.forEach(bytes -> measured.put(bytes, new Turns<>()));
        Progress progress = new Progress(System.err);
        for (int fork = 1; fork <= forks; fork++) {
            String title = String.format("fork %d of %d", fork, forks);
            for (Map.Entry<Integer, Turns<Program>> size : measured.entrySet()) {
                progress.now(title + "  " + size.getKey() + " bytes");
                fork(size.getKey(), size.getValue());
            }
            progress.done(title);
        }
        publish(measured);
        return 0;
    }

    /** The best trial of each turn counts: it shows the time without disturbance. */
    private void fork(int bytes, Turns<Program> measured) throws ChildFailure, InterruptedException {
        Floor floor = installation.floor();
        try (Players java = Players.start("the queues", java(bytes, "serve"), first -> java(bytes, "pingpong", first))) {
            Map<Program, Turns.Measurement> all = new EnumMap<>(Program.class);
            all.put(Program.FLOOR, () -> floor.leastOfSharedMemory(bytes, TURN_SECONDS));
            all.put(Program.C, () -> floor.leastOfQueues(bytes, TURN_SECONDS));
            all.put(Program.JAVA, () -> java.take(TURN_SECONDS, TRIALS, Players.Trial.LEAST));
            measured.fork(turns, all);
            java.finish();
        }
    }

    private List<String> java(int bytes, String... arguments) {
        List<String> program = new ArrayList<>(List.of("workloads.queues.PingPong", Integer.toString(bytes)));
        program.addAll(List.of(arguments));
        String classPath = Workload.programs() + ":" + installation.jar();
        return installation.java(Side.Start.PLAIN, classPath, program, "off");
    }

    private void publish(Map<Integer, Turns<Program>> all) {
        Table table = new Table("bytes", "floor us", "C us", "Java us", "C/floor", "interval", "Java/C", "interval");
        List<Goal> goals = new ArrayList<>();
        Plot times = new Plot("Time of a message, one way", "message, bytes", "microseconds", "Lower is faster.");
        all.forEach((bytes, measured) -> {
            for (Program program : Program.values()) {
                times.add(program.title, program.product, bytes.toString(), measured.estimate(program), 1e6);
            }
            Statistics.Estimate toFloor = measured.ratio(Program.C, Program.FLOOR);
            Statistics.Estimate toC = measured.ratio(Program.JAVA, Program.C);
            table.add(bytes.toString(), measured.micros(Program.FLOOR), measured.micros(Program.C), measured.micros(Program.JAVA),
                    Table.number(toFloor.median()), toFloor.interval(), Table.number(toC.median()), toC.interval());
            if (bytes == 8) {
                goals.add(Goal.overFloor(1.5, "8 bytes: C over SCILib to the C floor", toFloor.median()));
            }
            goals.add(Goal.atMost(1.5, bytes + " bytes: Java to C over the same queues", toC.median()));
        });
        Report report = new Report("scilib", "Message queues of SCILib: Java beside C, and C beside the floor",
                "A message goes there and back through two queues in shared memory, between two programs in C and between two in Java. The"
                        + " floor is two programs in C that spin on shared memory without a library.", Report.forks(forks));
        report.plot(times);
        report.table(table);
        report.line(Turns.legend(forks, turns));
        report.line("");
        report.goals(goals);
        pages.publish(report, installation);
    }
}
