package jfs.benchmarks.commands;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import jfs.benchmarks.measurements.Paired;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.programs.Workload;
import jfs.benchmarks.report.Pages;
import jfs.benchmarks.report.Plot;
import jfs.benchmarks.report.Report;
import jfs.benchmarks.results.OperationRow;
import jfs.benchmarks.statistics.Goal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures real, unmodified programs in two JVMs over the JDK's sockets and over JFS. Beside these stands what the programs reach in one
 * JVM over pipes. {@link NioDemo} is one of these demos too, but without pipes.
 */
@Command(
        name = "programs",
        mixinStandardHelpOptions = true,
        subcommands = NioDemo.class,
        subcommandsRepeatable = true,
        description = "Runs a client and a server over the JDK's sockets and over JFS in turn; prints a table, writes a page with a plot.")
public final class Programs {
    /** The options that both commands share. */
    static final class Options {
        @Mixin
        private Installation installation;

        @Mixin
        private Pages pages;

        @Option(names = "--out", required = true, paramLabel = "DIR", description = "Folder for the plot and the results.")
        private Path out;

        @Option(
                names = "--forks", paramLabel = "N", defaultValue = "11",
                description = "Fresh JVMs for each side (default: ${DEFAULT-VALUE}).")
        private int forks;

        @Option(
                names = "--time-limit", paramLabel = "SECONDS", defaultValue = "180",
                description = "No further fork is begun that would end later (default: ${DEFAULT-VALUE}).")
        private int timeLimit;

        @Option(
                names = "--warmup", paramLabel = "SECONDS", defaultValue = "0.6",
                description = "For each operation (default: ${DEFAULT-VALUE}).")
        private double warming;

        @Option(
                names = "--seconds", paramLabel = "S", defaultValue = "0.2",
                description = "For each operation (default: ${DEFAULT-VALUE}).")
        private double measuring;

        private List<String> client(String... command) {
            List<String> all = new ArrayList<>(List.of(command));
            all.addAll(List.of(Workload.PORT, Double.toString(warming), Double.toString(measuring)));
            return all;
        }
    }

    @Command(mixinStandardHelpOptions = true, description = "Remote method invocation, and JMX over it.")
    int rmi(@Mixin Options options) throws ChildFailure, InterruptedException, IOException {
        Map<String, String> operations = new LinkedHashMap<>();
        operations.put("null", "null call");
        operations.put("args", "three arguments");
        operations.put("echo", "64 KB echo");
        operations.put("callback", "callback");
        operations.put("exception", "exception");
        operations.put("object", "new remote object");
        operations.put("threads", "null call, 2 threads");
        operations.put("jmx", "JMX attribute");
        Workload rmi = new Workload(
                "RMI", List.of("workloads.rmi.RmiServer", Workload.PORT), options.client("workloads.rmi.RmiClient"));
        return measure(options, "rmi", List.of(rmi), new Operations("Remote calls by RMI", operations, "null", 5));
    }

    @Command(mixinStandardHelpOptions = true, description = "Clients of the database servers H2, Derby and HSQLDB.")
    int jdbc(
            @Mixin Options options,
            @Option(
                    names = "--databases", required = true, paramLabel = "DIR",
                    description = "Folder of the databases' jars.")
                    Path databases)
            throws ChildFailure, InterruptedException, IOException {
        options.installation.checkFile("--databases", databases);
        Map<String, String> operations = new LinkedHashMap<>();
        operations.put("one", "select 1");
        operations.put("row", "row by key");
        operations.put("insert", "insert, commit");
        operations.put("rows", "1,000 rows");
        List<Workload> workloads = new ArrayList<>();
        for (String name : List.of("H2", "Derby", "HSQLDB")) {
            String database = name.toUpperCase(Locale.ROOT);
            workloads.add(new Workload(
                    name,
                    databases.resolve("*").toString(),
                    List.of("workloads.jdbc.DatabaseServer", database, Workload.PORT),
                    options.client("workloads.jdbc.DatabaseClient", database)));
        }
        return measure(options, "jdbc", workloads, new Operations("Database servers by JDBC", operations, "row", 3));
    }

    /**
     * What a program is measured with.
     *
     * @param page what is compared, for the title of the page
     * @param titles the titles of the operations, by key
     * @param typical the key of the operation for which there is a goal
     * @param goal how many times faster than over the JDK the typical operation should be
     */
    private record Operations(String page, Map<String, String> titles, String typical, double goal) {}

    private static int measure(Options options, String name, List<Workload> workloads, Operations operations)
            throws ChildFailure, InterruptedException, IOException {
        options.installation.check();
        Files.createDirectories(options.out);
        List<Paired> all = workloads.stream()
                .map(workload -> new Paired(options.installation, workload, OperationRow.SIDES, "all"))
                .toList();
        Progress progress = new Progress(System.err);
        runForks(options, all, progress);

        List<OperationRow> rows = new ArrayList<>();
        List<Goal> goals = new ArrayList<>();
        for (Paired paired : all) {
            for (Map.Entry<String, String> operation : operations.titles.entrySet()) {
                OperationRow row = OperationRow.of(
                        paired.workload().name(), operation.getValue(), paired.measurements(), operation.getKey());
                rows.add(row);
                if (operation.getKey().equals(operations.typical)) {
                    String what = row.program() + ", " + row.operation();
                    double ceiling = row.gain(Side.PIPES).median();
                    goals.add(Goal.atLeastOrCeiling(operations.goal, ceiling, what, row.gain(Side.JFS).median()));
                    goals.add(Goal.atLeastOrCeiling(operations.goal, ceiling, what + ", agent", row.gain(Side.AGENT).median()));
                }
            }
        }
        Path csv = options.out.resolve(name + ".csv");
        Path png = options.out.resolve(name + ".png");
        Files.writeString(csv, OperationRow.csv(rows));
        Plot plot = OperationRow.plot(rows);
        plot.save(png);
        progress.done("Wrote " + csv + " and " + png + ".");
        int forks = all.get(0).measurements().forks();
        Report report = new Report(name, operations.page + ": JFS beside the JDK's sockets",
                "A client and a server, each unchanged and in a JVM of its own on one host, run over the JDK's sockets and over JFS, which"
                        + " is started in two ways. The ceiling is the same client and server in one JVM, without sockets.",
                Report.forks(forks));
        rows.stream().filter(row -> row.operation().equals(operations.titles.get(operations.typical))).map(OperationRow::finding)
                .forEach(report::finding);
        report.plot(plot);
        report.table(OperationRow.table(rows));
        report.line(all.get(0).measurements().legend("ratios"));
        report.line("(pipes: the same client and server in one JVM over pipes in its memory, the ceiling;\n"
                + " of ceiling: how much of that rate JFS reaches; from 80 % on what is left is the program's own work)");
        report.line("");
        report.goals(goals);
        for (Paired paired : all) {
            paired.switching().lines().forEach(line -> report.line(paired.workload().name() + ": " + line));
        }
        options.pages.publish(report, options.installation);
        return 0;
    }

    private static void runForks(Options options, List<Paired> all, Progress progress)
            throws ChildFailure, InterruptedException {
        Instant start = Instant.now();
        Duration longest = Duration.ZERO;
        for (int fork = 1; fork <= options.forks; fork++) {
            Instant begun = Instant.now();
            if (Duration.between(start, begun).plus(longest).toSeconds() >= options.timeLimit) {
                progress.done("No time for more than " + (fork - 1) + " forks; --time-limit gives it more.");
                return;
            }
            for (Paired paired : all) {
                paired.fork(progress, String.format("fork %d of %d  %s", fork, options.forks, paired.workload().name()));
            }
            Duration took = Duration.between(begun, Instant.now());
            longest = took.compareTo(longest) > 0 ? took : longest;
            progress.done(String.format("fork %d of %d  %d s", fork, options.forks, took.toSeconds()));
        }
    }
}
