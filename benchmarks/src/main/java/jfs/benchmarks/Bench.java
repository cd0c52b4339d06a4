package jfs.benchmarks;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
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
        subcommands = {QueueBench.class, SisciBench.class, MxBench.class},
        subcommandsRepeatable = true,
        description = "Measures one thing at a time over many pairs of JVMs, with an interval for each ratio.")
final class Bench {
    private static final int COPIED_FROM = 65_536; // from this size on, the copy is what limits

    @Spec
    private CommandSpec spec;

    private static final List<Side> JDK_AND_JFS = List.of(Side.JDK, Side.JFS);

    /** What all share. */
    static final class Options {
        @Mixin
        private Installation installation;

        @Option(
                names = "--forks", paramLabel = "N", defaultValue = "11",
                description = "Fresh JVMs for each side (default: ${DEFAULT-VALUE}).")
        private int forks;

        private final Progress progress = new Progress(System.err);

        /** Measures what {@link Peer} does when given these arguments, beside anything else. */
        private Paired peers(List<Side> sides, String log, List<String> arguments, Paired.Beside beside)
                throws ChildFailure, InterruptedException {
            installation.check();
            String main = Peer.class.getName();
            List<String> client = new ArrayList<>(List.of(main));
            client.addAll(arguments);
            return run(new Workload("peer", List.of(main, "serve", Workload.PORT), client), sides, log, beside);
        }

        private Paired run(Workload workload, List<Side> sides, String log, Paired.Beside beside)
                throws ChildFailure, InterruptedException {
            Paired paired = new Paired(installation, workload, sides, log);
            paired.run(forks, progress, beside);
            return paired;
        }
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
        Floor floor = options.installation.floor();
        Map<Integer, double[]> floors = new HashMap<>();
        Map<Integer, double[]> copies = new HashMap<>();
        Paired paired = options.peers(JDK_AND_JFS, "all", pingPong(seconds, sizes), fork -> {
            for (int bytes : sizes) {
                keepLeast(floors, bytes, options.forks, fork, floor.sharedMemory(bytes));
                if (bytes >= COPIED_FROM) {
                    keepLeast(copies, bytes, options.forks, fork, floor.copy(bytes));
                }
            }
        });

        Measurements measured = paired.measurements();
        List<Goal> goals = new ArrayList<>();
        Table table = new Table("bytes", "JDK us", "JFS us", "floor us", "JDK/JFS", "interval", "JFS/floor", "interval");
        for (int bytes : sizes) {
            String key = Integer.toString(bytes);
            double[] jfs = measured.of(Side.JFS, key);
            Statistics.Estimate gain = measured.gain(Side.JFS, key);
            Statistics.Estimate toFloor = Measurements.ratio(jfs, floors.get(bytes));
            table.add(key, micros(measured.of(Side.JDK, key)), micros(jfs), micros(floors.get(bytes)),
                    Table.number(gain.median()), gain.interval(), Table.number(toFloor.median()), toFloor.interval());
            if (bytes == 1) {
                goals.add(Goal.overFloor(2, "1 byte: JFS to the C floor", toFloor.median()));
                goals.add(Goal.atLeast(40, "1 byte: faster than the JDK", gain.median()));
            } else if (bytes >= COPIED_FROM) {
                goals.add(Goal.atLeast(8, bytes + " bytes: bandwidth to the JDK's", gain.median()));
                Statistics.Estimate toCopy = Measurements.ratio(copies.get(bytes), jfs);
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
        Paired paired = options.peers(
                JDK_AND_JFS, "all", List.of("asleep", Workload.PORT, Integer.toString(requests)), fork -> {});
        Measurements measured = paired.measurements();
        Table table = new Table("", "JDK us", "JFS us", "JFS/JDK", "interval");
        for (String key : List.of("median", "p99")) {
            Statistics.Estimate ratio = measured.cost(Side.JFS, key);
            table.add(key, micros(measured.of(Side.JDK, key)), micros(measured.of(Side.JFS, key)),
                    Table.number(ratio.median()), ratio.interval());
        }
        double cost = measured.cost(Side.JFS, "median").median();
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
        Paired paired = options.peers(
                JDK_AND_JFS, "fallback", List.of("connect", Workload.PORT, Integer.toString(connections)), fork -> {});
        Measurements measured = paired.measurements();
        Statistics.Estimate cost = measured.cost(Side.JFS, "connection");
        Table table = new Table("", "JDK us", "JFS us", "JFS/JDK", "interval");
        table.add("a connection", micros(measured.of(Side.JDK, "connection")), micros(measured.of(Side.JFS, "connection")),
                Table.number(cost.median()), cost.interval());
        return print(paired, table, List.of(Goal.noSlower("a connection: JFS to the JDK's time", cost)));
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "The ping-pong of a program under JFS with one that isn't: must cost what it costs between two plain ones.")
    int plainpeer(
            @Mixin Options options,
            @Option(
                    names = "--sizes", split = ",", paramLabel = "BYTES", defaultValue = "1,1024,65536",
                    description = "Default: ${DEFAULT-VALUE}.")
                    List<Integer> sizes,
            @Option(
                    names = "--seconds", paramLabel = "S", defaultValue = "0.5",
                    description = "For each size and fork, after half as much of warming up (default: ${DEFAULT-VALUE}).")
                    double seconds)
            throws ChildFailure, InterruptedException {
        List<Side> mixed = List.of(Side.JFS_CLIENT, Side.JFS_SERVER);
        List<Side> sides = List.of(Side.JDK, Side.JFS_CLIENT, Side.JFS_SERVER);
        Paired paired = options.peers(sides, "fallback", pingPong(seconds, sizes), fork -> {});
        Measurements measured = paired.measurements();
        List<Goal> goals = new ArrayList<>();
        Table table = new Table("bytes", "ends", "JDK us", "us", "to JDK", "interval");
        for (int bytes : sizes) {
            String key = Integer.toString(bytes);
            for (Side side : mixed) {
                Statistics.Estimate cost = measured.cost(side, key);
                table.add(key, side.toString(), micros(measured.of(Side.JDK, key)), micros(measured.of(side, key)),
                        Table.number(cost.median()), cost.interval());
                goals.add(Goal.noSlower(bytes + " bytes, " + side + ": to the JDK's time", cost));
            }
        }
        return print(paired, table, goals);
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Milliseconds from the start of a JVM to its end: a program without sockets, and one with a connection.")
    int startup(@Mixin Options options) throws ChildFailure, InterruptedException {
        options.installation.check();
        Startup startup = new Startup(options.installation);
        startup.run(options.forks, options.progress);
        Measurements measured = startup.millis();
        Table table = new Table("program", "started", "ms", "more than plain, ms", "interval");
        for (String program : Startup.PROGRAMS) {
            double[] plain = measured.of(Side.JDK, program);
            table.add(program, "plain", Table.number(Statistics.median(plain)), "", "");
            for (Side side : List.of(Side.AGENT, Side.JFS)) {
                double[] millis = measured.of(side, program);
                Statistics.Estimate more = Measurements.difference(millis, plain);
                table.add(program, side == Side.AGENT ? "-javaagent" : "JFSLauncher", Table.number(Statistics.median(millis)),
                        Table.number(more.median()), more.interval());
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println();
        out.print(table);
        out.println(measured.legend("differences"));
        out.flush();
        return 0;
    }

    private static List<String> pingPong(double seconds, List<Integer> sizes) {
        List<String> arguments = new ArrayList<>(List.of("pingpong", Workload.PORT, Double.toString(seconds)));
        sizes.forEach(bytes -> arguments.add(bytes.toString()));
        return arguments;
    }

    private int print(Paired paired, Table table, List<Goal> goals) {
        PrintWriter out = spec.commandLine().getOut();
        out.println();
        out.print(table);
        out.println(paired.measurements().legend("ratios"));
        out.println();
        goals.forEach(out::println);
        out.print(paired.switching());
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
}
