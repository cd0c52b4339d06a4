package workloads.network;

import java.nio.file.Path;
import java.util.logging.LogManager;
import workloads.Program;

/** {@code Server PROGRAM PORT FOLDER} */
public final class Server {
    private Server() {}

    public static void main(String[] args) {
        Program.liveWithParent();
        LogManager.getLogManager().reset(); // the log of libraries would be part of what is measured
        try {
            Subject subject = Subject.of(args[0]);
            subject.keepFilesIn(Path.of(args[2]));
            Program.ready(subject.serve(Integer.parseInt(args[1])));
        } catch (Throwable e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1); // or the parent would wait in vain for a server that runs but does not serve
        }
    }
}
