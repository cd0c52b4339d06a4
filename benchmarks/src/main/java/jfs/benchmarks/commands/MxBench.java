package jfs.benchmarks.commands;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import jfs.benchmarks.measurements.NetPipe;
import jfs.benchmarks.measurements.PingPong;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.processes.Child;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.processes.Hosts;
import jfs.benchmarks.processes.Players;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.programs.Workload;
import jfs.benchmarks.report.Pages;
import jfs.benchmarks.results.MxTimes;
import jfs.benchmarks.results.MxTimes.Way;
import jfs.benchmarks.statistics.Turns;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import workloads.echo.Peer;

/**
 * Measures between two hosts how much time the MX library adds to UCX, and how much Java's sockets add to the MX library. TCP stands
 * beside them. All take {@link Turns}.
 */
@Command(
        name = "mx",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Between two network namespaces joined by veth, in turns: TCP by NPtcp and by Java's sockets, UCX by its own "
                + "ucx_perftest, MX in C over JFS's library, Java's sockets over that. Needs root.")
final class MxBench implements Callable<Integer> {
    private static final int STREAMED = 1_000; // messages
    private static final int ASLEEP = 4_000; // requests, one a millisecond

    private static final Duration START_LIMIT = Duration.ofSeconds(20);
    private static final Duration RUN_LIMIT = Duration.ofSeconds(60);
    private static final String PORT = "13337";
    /** Without this setting UCX finds out that the two hosts are one machine, and shares memory. */
    private static final List<String> BETWEEN_HOSTS = List.of("env", "UCX_TLS=tcp,self");
    private static final Pattern WAITING = Pattern.compile("Waiting for connection");
    private static final String NPTCP_PORT = "5002";
    /** Columns of ucx_perftest's output after the number of messages: the median and the mean, in microseconds. */
    private static final int UCX_MEDIAN = 1;
    private static final int UCX_MEAN = 2;
    /** Columns after the size: the median in microseconds of mx_pingpong and mx_asleep, and the messages a second of mx_stream. */
    private static final int MX_MEDIAN = 1;
    private static final int MX_RATE = 2;
    private static final Pattern ASLEEP_MEDIAN = Pattern.compile("^result median (\\S+)$");
    private static final Pattern MX_SERVER = Pattern.compile("^\\S+ endpoint (\\d+)$");

    @Mixin
    private Installation installation;

    @Mixin
    private Pages pages;

    @Option(
            names = "--forks", paramLabel = "N", defaultValue = "11",
            description = "New JVMs for each measurement (default: ${DEFAULT-VALUE}).")
    private int forks;

    @Option(
            names = "--turns", paramLabel = "N", defaultValue = "10",
            description = "For each fork (default: ${DEFAULT-VALUE}).")
    private int turns;

    private final MxTimes times = new MxTimes();

    @Override
    public Integer call() throws ChildFailure, InterruptedException, IOException {
        installation.check();
        Progress progress = new Progress(System.err);
        Path folder = Files.createTempDirectory("jfs-bench");
        Path rules = folder.resolve("rules");
        Path result = folder.resolve("np.out");
        try (Hosts hosts = new Hosts()) {
            Files.write(rules, List.of("connect " + Hosts.Host.SERVER.address() + " * mx trusted forced",
                    "accept " + Hosts.Host.CLIENT.address() + " * mx trusted forced"));
            for (int fork = 1; fork <= forks; fork++) {
                String title = String.format("fork %d of %d", fork, forks);
                progress.now(title + "  8 bytes");
                thereAndBack(hosts, MxTimes.SMALL, times.small(), rules, result);
                progress.now(title + "  1 MB");
                thereAndBack(hosts, MxTimes.LARGE, times.large(), rules, result);
                progress.now(title + "  stream");
                times.streamed().fork(turns, Map.of(
                        Way.UCX, () -> ucx(hosts, "ucp_am_bw", MxTimes.LARGE, STREAMED, UCX_MEAN),
                        Way.MX, () -> 1 / mx(hosts, "mx_stream", MxTimes.LARGE, STREAMED, MX_RATE)));
                progress.now(title + "  asleep");
                times.asleep().fork(1, Map.of(
                        Way.JDK, () -> asleep(hosts, Side.Start.PLAIN, List.of()),
                        Way.MX, () -> mx(hosts, "mx_asleep", MxTimes.SMALL, ASLEEP, MX_MEDIAN) * 1e-6,
                        Way.JFS, () -> asleep(hosts, Side.Start.LAUNCHER, underMx(rules))));
                progress.done(title);
            }
        } finally {
            Files.deleteIfExists(rules);
            Files.deleteIfExists(result);
            Files.delete(folder);
        }
        pages.publish(times.report(forks, turns), installation);
        return 0;
    }

    /** Measures round trips. The figure of a turn is the median of its messages, since the first messages of new processes take longer. */
    private void thereAndBack(Hosts hosts, int bytes, Turns<Way> measured, Path rules, Path result)
            throws ChildFailure, InterruptedException, IOException {
        double seconds = bytes == MxTimes.SMALL ? 0.02 : 0.2;
        int messages = bytes == MxTimes.SMALL ? 2_000 : 200;
        try (Players jdk = sockets(hosts, Way.JDK, Side.Start.PLAIN, bytes, List.of());
                Players jfs = sockets(hosts, Way.JFS, Side.Start.LAUNCHER, bytes, underMx(rules))) {
            Map<Way, Turns.Measurement> all = new EnumMap<>(Way.class);
            all.put(Way.NPTCP, () -> npTcp(hosts, bytes, messages / 10, result));
            all.put(Way.JDK, () -> jdk.take(seconds, messages, Players.Trial.MEDIAN));
            all.put(Way.UCX, () -> ucx(hosts, "ucp_am_lat", bytes, messages, UCX_MEDIAN));
            all.put(Way.MX, () -> mx(hosts, "mx_pingpong", bytes, messages, MX_MEDIAN) * 1e-6);
            all.put(Way.JFS, () -> jfs.take(seconds, messages, Players.Trial.MEDIAN));
            measured.fork(turns, all);
            jdk.finish();
            times.logged(jfs.finish());
        }
    }

    private static List<String> underMx(Path rules) {
        return with(BETWEEN_HOSTS, List.of("JFS_RULES=" + rules));
    }

    /**
     * The median seconds there and back. The server sleeps until a request comes, and the client sleeps until the answer comes, both
     * but for short polls.
     */
    private double asleep(Hosts hosts, Side.Start start, List<String> environment) throws ChildFailure, InterruptedException {
        String address = Hosts.Host.SERVER.address();
        List<String> server = with(environment, installation.java(start, Workload.programs(), PingPong.serve(address), "off"));
        try (Child serving = Child.start("the server asleep", hosts.on(Hosts.Host.SERVER, server), line -> {})) {
            String port = serving.awaitLine(Players.PORT, START_LIMIT).group(1);
            List<String> program = List.of(Peer.class.getName(), "asleep", address, port, Integer.toString(ASLEEP));
            List<String> client = with(environment, installation.java(start, Workload.programs(), program, "off"));
            try (Child asking = Child.start("its client", hosts.on(Hosts.Host.CLIENT, client), line -> {})) {
                asking.awaitSuccess(RUN_LIMIT);
                return Double.parseDouble(asking.awaitLine(ASLEEP_MEDIAN, Duration.ZERO).group(1)) * 1e-9;
            }
        }
    }

    private Players sockets(Hosts hosts, Way way, Side.Start start, int bytes, List<String> environment)
            throws ChildFailure, InterruptedException {
        String address = Hosts.Host.SERVER.address();
        List<String> server = with(environment, installation.java(start, Workload.programs(), PingPong.serve(address), "all"));
        return Players.start(way.toString(), hosts.on(Hosts.Host.SERVER, server), port -> {
            List<String> client = installation.java(start, Workload.programs(), PingPong.play(address, port, bytes), "all");
            return hosts.on(Hosts.Host.CLIENT, with(environment, client));
        });
    }

    private static double npTcp(Hosts hosts, int bytes, int repeats, Path result) throws ChildFailure, InterruptedException {
        String size = Integer.toString(bytes);
        List<String> server = List.of("NPtcp", "-p", "0", "-l", size, "-u", size, "-n", Integer.toString(repeats));
        List<String> client = with(server, List.of("-h", Hosts.Host.SERVER.address(), "-o", result.toString(), "-P", NPTCP_PORT));
        try (Child serving = Child.start("NPtcp, receiving", hosts.on(Hosts.Host.SERVER, server), line -> {})) {
            awaitListener(hosts, NPTCP_PORT);
            try (Child asking = Child.start("NPtcp, transmitting", hosts.on(Hosts.Host.CLIENT, client), line -> {})) {
                asking.awaitSuccess(RUN_LIMIT);
                serving.awaitSuccess(RUN_LIMIT);
            }
        }
        try {
            double seconds = NetPipe.parse(Files.readAllLines(result)).get(bytes);
            Files.delete(result); // it must not pass for the result of the next run
            return seconds;
        } catch (IOException e) {
            throw new ChildFailure("NPtcp's result: " + e.getMessage());
        }
    }

    private static void awaitListener(Hosts hosts, String port) throws ChildFailure, InterruptedException {
        String listening = String.format(":%04X 00000000:0000 0A", Integer.parseInt(port)); // proc(5), /proc/net/tcp
        List<String> command = List.of("sh", "-c", "until grep -q '" + listening + "' /proc/net/tcp; do sleep 0.01; done");
        try (Child waiting = Child.start("waiting for port " + port, hosts.on(Hosts.Host.SERVER, command), line -> {})) {
            waiting.awaitSuccess(START_LIMIT);
        }
    }

    /** @return seconds one way, or for each message of a stream */
    private static double ucx(Hosts hosts, String test, int bytes, int messages, int column) throws ChildFailure, InterruptedException {
        // The server has to write line by line even into a pipe. Otherwise the line that says that it waits comes late.
        List<String> server = List.of("stdbuf", "-oL", "ucx_perftest", "-t", test, "-p", PORT);
        List<String> client = List.of("ucx_perftest", Hosts.Host.SERVER.address(), "-f", "-t", test, "-p", PORT,
                "-s", Integer.toString(bytes), "-w", Integer.toString(messages / 10), "-n", Integer.toString(messages));
        try (Child serving = Child.start("ucx_perftest, serving", hosts.on(Hosts.Host.SERVER, with(BETWEEN_HOSTS, server)), line -> {})) {
            serving.awaitLine(WAITING, START_LIMIT);
            try (Child asking = Child.start("ucx_perftest", hosts.on(Hosts.Host.CLIENT, with(BETWEEN_HOSTS, client)), line -> {})) {
                asking.awaitSuccess(RUN_LIMIT);
                Pattern result = Pattern.compile("^(?:Final:)?\\s*" + messages + "(?:\\s+([\\d.]+))".repeat(column));
                return Double.parseDouble(asking.awaitLine(result, Duration.ZERO).group(column)) * 1e-6;
            }
        }
    }

    /** @return the figure that the program prints in that column after the size */
    private double mx(Hosts hosts, String program, int bytes, int messages, int column) throws ChildFailure, InterruptedException {
        List<String> path = with(BETWEEN_HOSTS, List.of(installation.floor().folder().resolve(program).toString()));
        List<String> server = with(path, List.of("-e", "any"));
        try (Child serving = Child.start(program + " as the server", hosts.on(Hosts.Host.SERVER, server), line -> {})) {
            String endpoint = serving.awaitLine(MX_SERVER, START_LIMIT).group(1);
            List<String> client = with(path, List.of("-d", Hosts.Host.SERVER.address(), "-r", endpoint,
                    "-s", Integer.toString(bytes), "-n", Integer.toString(messages)));
            try (Child asking = Child.start(program, hosts.on(Hosts.Host.CLIENT, client), line -> {})) {
                asking.awaitSuccess(RUN_LIMIT);
                Pattern result = Pattern.compile("^\\s*" + bytes + "(?:\\s+(\\S+))".repeat(column));
                return Double.parseDouble(asking.awaitLine(result, Duration.ZERO).group(column));
            }
        }
    }

    private static List<String> with(List<String> first, List<String> then) {
        List<String> all = new ArrayList<>(first);
        all.addAll(then);
        return all;
    }
}
