package workloads.network;

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

    /** Returns what one thread of the client does. That thread calls this. Connects here if the operation reuses a connection. */
    Operation operation(String name, int port) throws Exception;

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
