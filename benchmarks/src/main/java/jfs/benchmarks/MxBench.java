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

/** Between two hosts: what MX's library adds to UCX and Java's sockets to that, beside TCP. */
@Command(
        name = "mx",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Between two network namespaces joined by veth: TCP by NPtcp and by NetPIPE for Java, UCX by its own ucx_perftest, "
                + "MX in C over JFS's library, NetPIPE for Java over that. Needs root.")
final class MxBench implements Callable<Integer> {
    private static final int SMALL = 8;
    private static final int LARGE = 1 << 20;

    private static final Duration START_LIMIT = Duration.ofSeconds(20);
    private static final Duration RUN_LIMIT = Duration.ofSeconds(60);
    private static final String PORT = "13337";
    /** Or UCX finds out that the two hosts are one machine, and shares memory. */
    private static final List<String> BETWEEN_HOSTS = List.of("env", "UCX_TLS=tcp,self");
    private static final Pattern WAITING = Pattern.compile("Waiting for connection");
    private static final String NPTCP_PORT = "5002";
    private static final List<String> ANY_PORT = List.of("-P", "0");
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
    private int switched;

    private enum Way {
        NPTCP("TCP, NPtcp"),
        JDK("TCP, NetPIPE for Java"),
        UCX("UCX, ucx_perftest"),
        MX("MX over UCX, in C"),
        JFS("MX, NetPIPE for Java under JFS");

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
        Path rules = folder.resolve("rules");
        Path result = folder.resolve("np.out");
        try (Hosts hosts = new Hosts()) {
            Files.write(rules, List.of("connect " + Hosts.Host.SERVER.address() + " * mx trusted forced",
                    "accept " + Hosts.Host.CLIENT.address() + " * mx trusted forced"));
            for (int fork = 1; fork <= forks; fork++) {
                progress.now(String.format("fork %d of %d", fork, forks));
                measure(hosts, rules, result);
            }
        } finally {
            Files.deleteIfExists(rules);
            Files.deleteIfExists(result);
            Files.delete(folder);
        }
        progress.done(forks + " forks");
        print(spec.commandLine().getOut());
        return 0;
    }

    private void measure(Hosts hosts, Path rules, Path result) throws ChildFailure, InterruptedException, IOException {
        for (int bytes : List.of(SMALL, LARGE)) {
            add(Way.NPTCP, bytes, npTcp(hosts, bytes, result));
            add(Way.JDK, bytes, plain(hosts, bytes, result));
            add(Way.UCX, bytes, ucx(hosts, "ucp_am_lat", bytes));
            add(Way.MX, bytes, mx(hosts, "mx_pingpong", bytes, MX_MEAN) * 1e-6);
            add(Way.JFS, bytes, overMx(hosts, bytes, rules, result));
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
        List<String> server = with(List.of("NPtcp"), sizes(bytes));
        netPipe(hosts, server, NPTCP_PORT, with(server, sendingTo(result)), result);
        return NetPipe.parse(Files.readAllLines(result)).get(bytes);
    }

    private double plain(Hosts hosts, int bytes, Path result) throws ChildFailure, InterruptedException, IOException {
        List<String> program = netPipe(Side.Start.PLAIN, bytes);
        netPipe(hosts, with(program, ANY_PORT), null, with(program, sendingTo(result)), result);
        return NetPipe.parse(Files.readAllLines(result)).get(bytes);
    }

    private double overMx(Hosts hosts, int bytes, Path rules, Path result) throws ChildFailure, InterruptedException, IOException {
        List<String> program = with(with(BETWEEN_HOSTS, List.of("JFS_RULES=" + rules)), netPipe(Side.Start.LAUNCHER, bytes));
        List<String> output = netPipe(hosts, with(program, ANY_PORT), null, with(program, sendingTo(result)), result);
        switched += output.stream().anyMatch(line -> line.endsWith(" over mx")) ? 1 : 0;
        return NetPipe.parse(Files.readAllLines(result)).get(bytes);
    }

    private List<String> netPipe(Side.Start start, int bytes) {
        // So many that those at the beginning, which go over TCP, do not count.
        List<String> program = List.of("netpipe.NetPipe", "--first-repeats", Integer.toString(messages(bytes)));
        return installation.java(start, netpipe.toString(), with(program, sizes(bytes)), "all");
    }

    private static List<String> sendingTo(Path result) {
        return List.of("-h", Hosts.Host.SERVER.address(), "-o", result.toString());
    }

    private static List<String> sizes(int bytes) {
        return List.of("-p", "0", "-l", Integer.toString(bytes), "-u", Integer.toString(bytes));
    }

    /**
     * @param port the server's; null: it says so when it listens
     * @return what the client printed
     */
    private static List<String> netPipe(Hosts hosts, List<String> server, String port, List<String> client, Path result)
            throws ChildFailure, InterruptedException, IOException {
        Files.deleteIfExists(result); // an earlier one must not pass for this one's
        try (Child serving = Child.start("the NetPIPE receiver", hosts.on(Hosts.Host.SERVER, server), line -> {})) {
            if (port != null) {
                awaitListener(hosts, port);
            }
            String at = port != null ? port : serving.awaitLine(LISTENING, START_LIMIT).group(1);
            List<String> command = with(hosts.on(Hosts.Host.CLIENT, client), List.of("-P", at));
            try (Child asking = Child.start("the NetPIPE transmitter", command, line -> {})) {
                List<String> output = asking.awaitSuccess(RUN_LIMIT);
                serving.awaitSuccess(RUN_LIMIT);
                return output;
            }
        }
    }

    private static void awaitListener(Hosts hosts, String port) throws ChildFailure, InterruptedException {
        String listening = String.format(":%04X 00000000:0000 0A", Integer.parseInt(port)); // proc(5), /proc/net/tcp
        List<String> command = List.of("sh", "-c", "until grep -q '" + listening + "' /proc/net/tcp; do sleep 0.01; done");
        try (Child waiting = Child.start("waiting for port " + port, hosts.on(Hosts.Host.SERVER, command), line -> {})) {
            waiting.awaitSuccess(START_LIMIT);
        }
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
        out.println(Goal.atMost(1.25, "8 bytes: Java's sockets to MX", ratio(of(Way.JFS).small, of(Way.MX).small)));
        out.println(Goal.atMost(1.25, "1 MB: Java's sockets to MX", ratio(of(Way.JFS).large, of(Way.MX).large)));
        out.println("The connection went over MX in " + switched + " of " + 2 * forks + " runs under JFS.");
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
