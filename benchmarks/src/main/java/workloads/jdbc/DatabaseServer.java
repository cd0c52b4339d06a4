package workloads.jdbc;

import workloads.Program;

/** {@code DatabaseServer H2|DERBY|HSQLDB PORT} */
public final class DatabaseServer {
    private DatabaseServer() {}

    public static void main(String[] args) throws Exception {
        Program.liveWithParent();
        int port = Program.port(args[1]);
        Database.valueOf(args[0]).start(port);
        Program.ready(port);
    }
}
