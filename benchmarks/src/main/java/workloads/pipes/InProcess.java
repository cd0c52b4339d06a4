package workloads.pipes;

import java.lang.reflect.Method;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;

/**
 * {@code InProcess Server [args] -- Client [args]} runs both {@code main} methods in this JVM, over sockets in memory. The client's
 * {@code main} begins when the server's has returned.
 */
public final class InProcess {
    private InProcess() {}

    @SuppressWarnings("deprecation") // the setters are deprecated since 17, without a replacement
    public static void main(String[] args) throws Exception {
        Socket.setSocketImplFactory(PipeSocketImpl::new);
        ServerSocket.setSocketFactory(PipeSocketImpl::new);
        List<String> all = Arrays.asList(args);
        int border = all.indexOf("--");
        run(all.subList(0, border));
        run(all.subList(border + 1, all.size()));
        System.exit(0); // the server's threads would go on
    }

    private static void run(List<String> command) throws Exception {
        Method main = Class.forName(command.get(0)).getMethod("main", String[].class);
        main.invoke(null, (Object) command.subList(1, command.size()).toArray(String[]::new));
    }
}
