package jfs.benchmarks;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Between two hosts: what MX's library adds to UCX, beside TCP. */
@Command(
        name = "mx",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Between two network namespaces joined by veth: TCP by NPtcp and by NetPIPE for Java, UCX by its own ucx_perftest, "
                + "MX in C over JFS's library. Needs root.")
final class MxBench implements Callable<Integer> {
    private static final int SMALL = 8;
    private static final int LARGE = 1 << 20;

    private static final Duration START_LIMIT = Duration.ofSeconds(20);
    private static final Duration RUN_LIMIT = Duration.ofSeconds(60);
    private static final String PORT = "13337";
    /** Or UCX finds out that the two hosts are one machine, and shares memory. */
    private static final List<String> BETWEEN_HOSTS = List.of("env", "UCX_TLS=tcp,self");
    private static final Pattern WAITING = Pattern.compile("Waiting for connection");
    private static final Pattern LISTENING = Pattern.compile("Listening on port (\\d+)");
    /** How many, a percentile, the mean in microseconds; rates follow. */
    private static final Pattern UCX_MEAN = Pattern.compile("^(?:Final:)?\\s*\\d+\\s+[\\d.]+\\s+([\\d.]+)\\s");
    /** Columns of mx_pingpong's microseconds on average, and of mx_stream's messages a second. */
    private static final int MX_MEAN = 3;
    private static final int MX_RATE = 2;
    private static final Pattern MX_SERVER = Pattern.compile("^\\S+ endpoint (\\d+)$");

    @Spec
    private CommandSpec spec;

    @Mixin
    private Installation installation;

    @Option(names = "--netpipe", required = true, paramLabel = "JAR", description = "NetPIPE for Java.")
    private Path netpipe;

    @Option(
            names = "--forks", paramLabel = "N", defaultValue = "11",
            description = "New processes for each measurement (default: ${DEFAULT-VALUE}).")
    private int forks;

    private final Map<Way, Measured> measured = new EnumMap<>(Way.class);

    private enum Way {
        NPTCP("TCP, NPtcp"),
        JDK("TCP, NetPIPE for Java"),
        UCX("UCX, ucx_perftest"),
        MX("MX over UCX, in C");

        private final String title;

        Way(String title) {
            this.title = title;
        }
    }

    /** Fork by fork, in seconds: for half of there and back, and for each message of a stream. */
    private record Measured(List<Double> small, List<Double> large, List<Double> streamed) {
        Measured() {
            this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        }
    }

    @Override
    public Integer call() throws ChildFailure, InterruptedException, IOException {
        installation.check();
        installation.checkFile("--netpipe", netpipe);
        Progress progress = new Progress(System.err);
        Path folder = Files.createTempDirectory("jfs-bench");
        try (Hosts hosts = new Hosts()) {
            for (int fork = 1; fork <= forks; fork++) {
                progress.now(String.format("fork %d of %d", fork, forks));
                measure(hosts, folder.resolve("np.out"));
            }
        } finally {
            Files.deleteIfExists(folder.resolve("np.out"));
            Files.delete(folder);
        }
        progress.done(forks + " forks");
        print(spec.commandLine().getOut());
        return 0;
    }

    private void measure(Hosts hosts, Path result) throws ChildFailure, InterruptedException, IOException {
        for (int bytes : List.of(SMALL, LARGE)) {
            add(Way.NPTCP, bytes, npTcp(hosts, bytes, result));
            add(Way.JDK, bytes, netPipe(hosts, bytes, result));
            add(Way.UCX, bytes, ucx(hosts, "ucp_am_lat", bytes));
            add(Way.MX, bytes, mx(hosts, "mx_pingpong", bytes, MX_MEAN) * 1e-6);
        }
        of(Way.UCX).streamed.add(ucx(hosts, "ucp_am_bw", LARGE));
        of(Way.MX).streamed.add(1 / mx(hosts, "mx_stream", LARGE, MX_RATE));
    }

    private Measured of(Way way) {
        return measured.computeIfAbsent(way, none -> new Measured());
    }

    private void add(Way way, int bytes, double seconds) {
        (bytes == SMALL ? of(way).small : of(way).large).add(seconds);
    }

    private static double npTcp(Hosts hosts, int bytes, Path result) throws ChildFailure, InterruptedException, IOException {
        List<String> options = sizes(bytes);
        return netPipe(hosts, with(List.of("NPtcp"), options), null,
                with(List.of("NPtcp", "-h", Hosts.Host.SERVER.address(), "-o", result.toString()), options), result, bytes);
    }

    private double netPipe(Hosts hosts, int bytes, Path result) throws ChildFailure, InterruptedException, IOException {
        List<String> program = List.of("netpipe.NetPipe", "-h", Hosts.Host.SERVER.address(), "-o", result.toString());
        List<String> server = installation.java(Side.Start.PLAIN, netpipe.toString(), with(List.of("netpipe.NetPipe"), sizes(bytes)), "off");
        List<String> client = installation.java(Side.Start.PLAIN, netpipe.toString(), with(program, sizes(bytes)), "off");
        return netPipe(hosts, server, LISTENING, client, result, bytes);
    }

    private static List<String> sizes(int bytes) {
        return List.of("-p", "0", "-l", Integer.toString(bytes), "-u", Integer.toString(bytes));
    }

    /** @param ready what the server says then; null: the client waits for it itself */
    private static double netPipe(Hosts hosts, List<String> server, Pattern ready, List<String> client, Path result, int bytes)
            throws ChildFailure, InterruptedException, IOException {
        Files.deleteIfExists(result);
        try (Child serving = Child.start(server.get(0) + " receiving", hosts.on(Hosts.Host.SERVER, server), line -> {})) {
            if (ready != null) {
                serving.awaitLine(ready, START_LIMIT);
            }
            try (Child asking = Child.start(client.get(0) + " sending", hosts.on(Hosts.Host.CLIENT, client), line -> {})) {
                asking.awaitSuccess(RUN_LIMIT);
            }
            serving.awaitSuccess(RUN_LIMIT);
        }
        return NetPipe.parse(Files.readAllLines(result)).get(bytes);
    }

    /** Seconds one way, or for each message of a stream. */
    private static double ucx(Hosts hosts, String test, int bytes) throws ChildFailure, InterruptedException {
        // Line by line also into a pipe, or nobody could know that it waits.
        List<String> server = List.of("stdbuf", "-oL", "ucx_perftest", "-t", test, "-p", PORT);
        List<String> client = List.of("ucx_perftest", Hosts.Host.SERVER.address(), "-f", "-t", test, "-p", PORT,
                "-s", Integer.toString(bytes), "-w", Integer.toString(messages(bytes) / 10), "-n", Integer.toString(messages(bytes)));
        try (Child serving = Child.start("ucx_perftest, serving", hosts.on(Hosts.Host.SERVER, with(BETWEEN_HOSTS, server)), line -> {})) {
            serving.awaitLine(WAITING, START_LIMIT);
            try (Child asking = Child.start("ucx_perftest", hosts.on(Hosts.Host.CLIENT, with(BETWEEN_HOSTS, client)), line -> {})) {
                asking.awaitSuccess(RUN_LIMIT);
                return Double.parseDouble(asking.awaitLine(UCX_MEAN, Duration.ZERO).group(1)) * 1e-6;
            }
        }
    }

    private static int messages(int bytes) {
        return bytes == SMALL ? 50_000 : 1_000;
    }

    /** What the program prints in that column after the size. */
    private double mx(Hosts hosts, String program, int bytes, int column) throws ChildFailure, InterruptedException {
        List<String> path = with(BETWEEN_HOSTS, List.of(installation.floor().folder().resolve(program).toString()));
        List<String> server = with(path, List.of("-e", "any"));
        try (Child serving = Child.start(program + " as the server", hosts.on(Hosts.Host.SERVER, server), line -> {})) {
            String endpoint = serving.awaitLine(MX_SERVER, START_LIMIT).group(1);
            List<String> client = with(path, List.of("-d", Hosts.Host.SERVER.address(), "-r", endpoint,
                    "-s", Integer.toString(bytes), "-n", Integer.toString(messages(bytes))));
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

    private void print(PrintWriter out) {
        Table table = new Table("", "8 bytes, us", "to UCX", "1 MB, us", "to UCX", "1 MB stream, MB/s", "to UCX");
        for (Way way : Way.values()) {
            List<Double> streamed = of(way).streamed;
            table.add(way.title,
                    Table.number(median(of(way).small) * 1e6), toUcx(of(way).small, of(Way.UCX).small),
                    Table.number(median(of(way).large) * 1e6), toUcx(of(way).large, of(Way.UCX).large),
                    streamed.isEmpty() ? "" : Table.number(LARGE / median(streamed) / 1e6),
                    streamed.isEmpty() ? "" : toUcx(streamed, of(Way.UCX).streamed));
        }
        out.println();
        out.print(table);
        out.println("(one way, half of there and back; medians of " + forks + " forks and of their paired ratios of times; MB = 10^6 bytes)");
        out.println();
        out.println(Goal.atMost(1.15, "8 bytes: MX to UCX", ratio(of(Way.MX).small, of(Way.UCX).small)));
        out.println(Goal.atMost(1.15, "1 MB in a stream: MX to UCX", ratio(of(Way.MX).streamed, of(Way.UCX).streamed)));
        out.flush();
    }

    private static double median(List<Double> values) {
        return Statistics.median(array(values));
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static double ratio(List<Double> values, List<Double> ucx) {
        return Measurements.ratio(array(values), array(ucx)).median();
    }

    private static String toUcx(List<Double> values, List<Double> ucx) {
        Statistics.Estimate estimate = Measurements.ratio(array(values), array(ucx));
        return Table.number(estimate.median()) + " (" + estimate.interval() + ")";
    }
}
