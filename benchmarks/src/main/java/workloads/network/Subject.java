package workloads.network;

import java.nio.file.Path;
import workloads.Player;

/** A program that is measured: a server, and a client that does one of its operations again and again. */
interface Subject {
    String HOST = "127.0.0.1";

    /**
     * Starts the server.
     *
     * @param port 0: any
     * @return the server's port; the server can be used now
     */
    int serve(int port) throws Exception;

    /** The folder for the server's files, if it has any. The parent makes the folder and deletes it. Called before {@link #serve}. */
    default void keepFilesIn(Path folder) {}

    /**
     * Returns what one thread of the client does. That thread calls this. Connects here if the operation reuses a connection. A program
     * that has threads of its own implements {@link #client} instead.
     */
    default Operation operation(String name, int port) throws Exception {
        throw unknown(name);
    }

    /** Returns the client. @param threads how many threads do the operation, or how many connections if the program has its own threads */
    default Player.Measured client(String operation, int threads, int port) {
        return Client.of(this, operation, threads, port);
    }

    /** Each call of {@link #run} does the operation once. */
    interface Operation {
        void run() throws Exception;
    }

    /** The class of a program is loaded only when the program is asked for, because it needs libraries of its own. */
    static Subject of(String name) {
        return switch (name) {
            case "sockets" -> new Streams();
            case "rmi" -> new RmiCalls();
            case "thrift" -> new ThriftCalls();
            case "grpc" -> new GrpcCalls();
            case "jgroups" -> new JGroupsCalls();
            case "ftp" -> new FtpTransfers();
            case "smtp" -> new SmtpMessages();
            case "imap" -> new ImapMessages();
            case "tomcat" -> new TomcatRequests();
            case "netty", "plain" -> new NettyEcho();
            case "jetty" -> new JettyRequests();
            case "httpserver" -> new HttpServerRequests();
            case "zookeeper" -> new ZooKeeperReads();
            case "kafka" -> new KafkaRecords();
            case "file" -> new FileTransfers();
            default -> throw new IllegalArgumentException("no program " + name);
        };
    }

    static void expect(boolean right) {
        if (!right) {
            throw new AssertionError("a wrong answer");
        }
    }

    static IllegalArgumentException unknown(String operation) {
        return new IllegalArgumentException("no operation " + operation);
    }
}
