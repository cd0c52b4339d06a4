package jfs.benchmarks.programs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import workloads.Program;

/**
 * An operation of a program of {@code workloads.network}.
 *
 * @param program the program's name there, and among the options
 * @param operation the operation's name there
 * @param title the operation's name in the table
 * @param threads the number of the client's threads, which all do the operation, or of its connections if a few threads serve them
 * @param side the side that is compared with the JDK's
 */
public record NetworkProgram(String program, String operation, String title, int threads, Side side) {
    private static final int THREADS = 8;
    private static final int CONNECTIONS = 64;

    /** Programs whose connections are mostly sockets. */
    public static final List<NetworkProgram> ALL = List.of(
            one("sockets", "lines", "line, answered"),
            one("sockets", "lines-one-way", "10,000 lines one way"),
            one("sockets", "16k", "16 MB one way by 16 KB"),
            one("sockets", "1m", "32 MB one way by 1 MB"),
            one("rmi", "call", "null call"),
            many("rmi", "call", "null call"),
            one("thrift", "call", "small call"),
            many("thrift", "call", "small call"),
            one("thrift", "64k", "64 KB echo"),
            one("thrift", "connection", "connection, small call"),
            one("grpc", "call", "unary call"),
            many("grpc", "call", "unary call"),
            one("grpc", "channel", "channel, unary call"),
            one("jgroups", "call", "small RPC"),
            one("jgroups", "64k", "RPC with 64 KB"),
            one("ftp", "small", "download of 1 KB"),
            one("ftp", "upload", "upload of 1 MB"),
            one("ftp", "download", "download of 1 MB"),
            one("smtp", "message", "message"),
            one("smtp", "connection", "connection, message"),
            one("imap", "fetch", "fetch of a message"),
            new NetworkProgram("tomcat", "get", "GET", 1, Side.AGENT_CLIENT),
            new NetworkProgram("tomcat", "get", "GET, " + THREADS + " threads", THREADS, Side.AGENT_CLIENT));

    /** Programs whose connections are channels, at one end at least. */
    public static final List<NetworkProgram> NIO = List.of(
            nio("netty", "echo", "64 B echo, 1 connection", 1),
            nio("netty", "echo", "64 B echo, " + CONNECTIONS + " connections", CONNECTIONS),
            nio("jetty", "get", "GET of 100 B by java.net.http", 1),
            nio("tomcat", "get-100", "GET of 100 B by HttpURLConnection", 1),
            nio("httpserver", "get", "GET of 100 B by java.net.http", 1),
            nio("zookeeper", "read", "read of 100 B", 1),
            nio("kafka", "produce", "record of 100 B, acknowledged", 1),
            nio("kafka", "consume", "record of 100 B, consumed", 1),
            plain("64 B echo, 1 connection, client without JFS", 1),
            plain("64 B echo, " + CONNECTIONS + " connections, client without JFS", CONNECTIONS),
            nio("file", "blocking-16k", "file of 16 KB, blocking", 1),
            nio("file", "blocking-1m", "file of 1 MB, blocking", 1),
            nio("file", "blocking-64m", "file of 64 MB, blocking", 1),
            nio("file", "selector-16k", "file of 16 KB, by selector", 1),
            nio("file", "selector-1m", "file of 1 MB, by selector", 1),
            nio("file", "selector-64m", "file of 64 MB, by selector", 1));

    /** Programs of {@link #NIO} that are measured over pipes too. */
    private static final Set<String> WITH_CEILING = Set.of("jetty", "tomcat", "httpserver", "zookeeper");

    /** The flags of the JVM that runs {@link #inProcess}. */
    public static final List<String> PIPES = List.of(
            "-D" + Program.ALONE + "=true", "-Djava.nio.channels.spi.SelectorProvider=workloads.pipes.PipeProvider");
    private static final String PIPES_PORT = "20000"; // always free: no other program has channels in that JVM

    private static NetworkProgram one(String program, String operation, String title) {
        return new NetworkProgram(program, operation, title, 1, Side.AGENT);
    }

    private static NetworkProgram many(String program, String operation, String title) {
        return new NetworkProgram(program, operation, title + ", " + THREADS + " threads", THREADS, Side.AGENT);
    }

    private static NetworkProgram nio(String program, String operation, String title, int threads) {
        return new NetworkProgram(program, operation, title, threads, Side.AGENT);
    }

    /** Netty's echo, whose client runs over the JDK's channels: all connections stay on TCP. */
    private static NetworkProgram plain(String title, int connections) {
        return new NetworkProgram("plain", "echo", title, connections, Side.AGENT_SERVER);
    }

    /** Whether {@link #inProcess} can run the program, which shows its ceiling. */
    public boolean hasCeiling() {
        return side == Side.AGENT && WITH_CEILING.contains(program);
    }

    /** The least time to warm up, seconds. By default channels get no path in the first four seconds, and a socket may offer one later. */
    public int leastWarmUp() {
        return NIO.contains(this) ? 10 : 0;
    }

    /** About how long it takes to start the two JVMs. */
    public double startSeconds() {
        return program.equals("kafka") ? 6 : 1.5;
    }

    /** @param folder where the server may keep files */
    public List<String> server(Path folder) {
        return server("0", folder);
    }

    private List<String> server(String port, Path folder) {
        return List.of("workloads.network.Server", program, port, folder.toString());
    }

    public List<String> client(String port) {
        return List.of("workloads.network.Client", program, operation, Integer.toString(threads), port);
    }

    /** Client and server in one JVM, whose sockets and channels are pipes in its memory. The JVM needs the flags {@link #PIPES}. */
    public List<String> inProcess(Path folder) {
        List<String> all = new ArrayList<>(List.of("workloads.pipes.InProcess"));
        all.addAll(server(PIPES_PORT, folder));
        all.add("--");
        all.addAll(client(PIPES_PORT));
        return all;
    }

    /** The names of these programs, in their order. */
    public static List<String> names(List<NetworkProgram> all) {
        return all.stream().map(NetworkProgram::program).distinct().toList();
    }

    @Override
    public String toString() {
        return program + ": " + title;
    }
}
