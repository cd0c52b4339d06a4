package workloads.network;

import java.util.logging.LogManager;
import workloads.Program;

/** {@code Server PROGRAM PORT} */
public final class Server {
    private Server() {}

    public static void main(String[] args) {
        Program.liveWithParent();
        LogManager.getLogManager().reset(); // what libraries tell would be part of what is measured
        try {
            Program.ready(Subject.of(args[0]).serve(Integer.parseInt(args[1])));
        } catch (Throwable e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1); // nobody waits in vain for a server that lives but does not serve
        }
    }
}
