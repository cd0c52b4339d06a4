package workloads.network;

/** A program that is measured: a server, and a client that does one of its operations again and again. */
interface Subject {
    String HOST = "127.0.0.1";

    /**
     * Starts the server.
     *
     * @param port 0: any
     * @return its port, at which it can be used now
     */
    int serve(int port) throws Exception;

    /** What one thread of the client does; called by that thread. Connects as far as the operation wants a connection that is there. */
    Operation operation(String name, int port) throws Exception;

    /** Done once by each call. */
    interface Operation {
        void run() throws Exception;
    }

    /** The class of each is loaded only where it is asked for: it needs its own libraries. */
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
