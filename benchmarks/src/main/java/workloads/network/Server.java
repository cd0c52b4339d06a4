package workloads.network;

import java.util.logging.LogManager;
import workloads.Program;

/** {@code Server PROGRAM PORT} */
public final class Server {
    private Server() {}

    public static void main(String[] args) {
        Program.liveWithParent();
        LogManager.getLogManager().reset(); // the log of libraries would be part of what is measured
        try {
            Program.ready(Subject.of(args[0]).serve(Integer.parseInt(args[1])));
        } catch (Throwable e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1); // or the parent would wait in vain for a server that runs but does not serve
        }
    }
}
