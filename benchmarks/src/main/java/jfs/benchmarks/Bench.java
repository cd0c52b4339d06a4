package jfs.benchmarks;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Single questions, each answered with the median of paired ratios over many pairs of fresh JVMs. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        subcommandsRepeatable = true,
        description = "Measures one thing at a time over many pairs of JVMs, with an interval for each ratio.")
final class Bench {
    private static final int COPIED_FROM = 65_536; // from this size on, the copy is what limits

    @Spec
    private CommandSpec spec;

    /** What the three share. */
    static final class Options {
        @Mixin
        private Installation installation;

        @Option(
                names = "--forks", paramLabel = "N", defaultValue = "11",
                description = "Pairs of JVMs for each side (default: ${DEFAULT-VALUE}).")
        private int forks;
    }

    @Command(mixinStandardHelpOptions = true, description = "A message there and back through Socket's streams.")
    int pingpong(
            @Mixin Options options,
            @Option(
                    names = "--sizes", split = ",", paramLabel = "BYTES", defaultValue = "1,64,1024,65536,1048576",
                    description = "Default: ${DEFAULT-VALUE}.")
                    List<Integer> sizes,
            @Option(
                    names = "--seconds", paramLabel = "S", defaultValue = "0.7",
                    description = "For each size and fork, after half as much of warming up (default: ${DEFAULT-VALUE}).")
                    double seconds)
            throws ChildFailure, InterruptedException {
        options.installation.check();
        Paired paired = new Paired(options.installation, options.forks, "pingpong", "all", arguments(seconds, sizes));
        Floor floor = options.installation.floor();
        Map<Integer, double[]> floors = new HashMap<>();
        Map<Integer, double[]> copies = new HashMap<>();
        paired.run(fork -> {
            for (int bytes : sizes) {
                keepLeast(floors, bytes, options.forks, fork, floor.sharedMemory(bytes));
                if (bytes >= COPIED_FROM) {
                    keepLeast(copies, bytes, options.forks, fork, floor.copy(bytes));
                }
            }
        });

        List<Goal> goals = new ArrayList<>();
        Table table = new Table("bytes", "JDK us", "JFS us", "floor us", "JDK/JFS", "interval", "JFS/floor", "interval");
        for (int bytes : sizes) {
            String key = Integer.toString(bytes);
            double[] jfs = paired.nanos(Side.JFS, key);
            Statistics.Estimate gain = paired.gain(key);
            Statistics.Estimate toFloor = Paired.ratio(jfs, floors.get(bytes));
            table.add(key, micros(paired.nanos(Side.JDK, key)), micros(jfs), micros(floors.get(bytes)),
                    Table.number(gain.median()), interval(gain), Table.number(toFloor.median()), interval(toFloor));
            if (bytes == 1) {
                goals.add(Goal.overFloor(2, "1 byte: JFS to the C floor", toFloor.median()));
                goals.add(Goal.atLeast(40, "1 byte: faster than the JDK", gain.median()));
            } else if (bytes >= COPIED_FROM) {
                goals.add(Goal.atLeast(8, bytes + " bytes: bandwidth to the JDK's", gain.median()));
                Statistics.Estimate toCopy = Paired.ratio(copies.get(bytes), jfs);
                goals.add(Goal.atLeast(0.5, bytes + " bytes: bandwidth to one core's copy", toCopy.median()));
            }
        }
        return print(paired, table, goals);
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "A request every millisecond, so that its receiver sleeps: round-trip latency.")
    int asleep(
            @Mixin Options options,
            @Option(
                    names = "--requests", paramLabel = "N", defaultValue = "1000",
                    description = "For each fork (default: ${DEFAULT-VALUE}).")
                    int requests)
            throws ChildFailure, InterruptedException {
        options.installation.check();
        Paired paired = new Paired(options.installation, options.forks, "asleep", "all", List.of(Integer.toString(requests)));
        paired.run(fork -> {});
        Table table = new Table("", "JDK us", "JFS us", "JFS/JDK", "interval");
        for (String key : List.of("median", "p99")) {
            Statistics.Estimate ratio = paired.cost(key);
            table.add(key, micros(paired.nanos(Side.JDK, key)), micros(paired.nanos(Side.JFS, key)),
                    Table.number(ratio.median()), interval(ratio));
        }
        double cost = paired.cost("median").median();
        return print(paired, table, List.of(Goal.atMost(1, "receiver asleep: JFS to the JDK's latency", cost)));
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Connect, one request, close: not worth an offer, so it should stay on TCP and cost the same.")
    int connect(
            @Mixin Options options,
            @Option(
                    names = "--connections", paramLabel = "N", defaultValue = "4000",
                    description = "For each fork, after half as many to warm up (default: ${DEFAULT-VALUE}).")
                    int connections)
            throws ChildFailure, InterruptedException {
        options.installation.check();
        Paired paired = new Paired(options.installation, options.forks, "connect", "fallback", List.of(Integer.toString(connections)));
        paired.run(fork -> {});
        Statistics.Estimate cost = paired.cost("connection");
        Table table = new Table("", "JDK us", "JFS us", "JFS/JDK", "interval");
        double[] jdk = paired.nanos(Side.JDK, "connection");
        double[] jfs = paired.nanos(Side.JFS, "connection");
        table.add("a connection", micros(jdk), micros(jfs), Table.number(cost.median()), interval(cost));
        return print(paired, table, List.of(Goal.noSlower("a connection: JFS to the JDK's time", cost)));
    }

    private static List<String> arguments(double seconds, List<Integer> sizes) {
        List<String> arguments = new ArrayList<>(List.of(Double.toString(seconds)));
        sizes.forEach(bytes -> arguments.add(bytes.toString()));
        return arguments;
    }

    private int print(Paired paired, Table table, List<Goal> goals) {
        PrintWriter out = spec.commandLine().getOut();
        out.println();
        out.print(table);
        out.println(paired.legend());
        out.println();
        goals.forEach(out::println);
        out.println(paired.switching());
        out.flush();
        return 0;
    }

    /** The better of a fork's two figures, before and after: a floor that was raised by a neighbour's load would flatter. */
    private static void keepLeast(Map<Integer, double[]> all, int bytes, int forks, int fork, double seconds) {
        double[] nanos = all.computeIfAbsent(bytes, none -> {
            double[] fresh = new double[forks];
            Arrays.fill(fresh, Double.POSITIVE_INFINITY);
            return fresh;
        });
        nanos[fork - 1] = Math.min(nanos[fork - 1], seconds * 1e9);
    }

    private static String micros(double[] nanos) {
        return Table.number(Statistics.median(nanos) / 1000);
    }

    private static String interval(Statistics.Estimate estimate) {
        return String.format(Locale.ROOT, "%s..%s", Table.number(estimate.low()), Table.number(estimate.high()));
    }
}
