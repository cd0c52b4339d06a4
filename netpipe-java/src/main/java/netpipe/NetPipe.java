package netpipe;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The program. */
public final class NetPipe {

    private static final int FAILED = 1;
    private static final int USAGE = 2;

    /** How each line about an error begins. What runs this program as a part of itself may give another beginning in this property. */
    private static final String ERROR = System.getProperty("org.javafastsockets.netpipe.error", "NetPIPE: ");

    private NetPipe() {
    }

    public static void main(String[] args) {
        System.exit(run(args, System.out, System.err));
    }

    /**
     * Runs one end of one sweep.
     *
     * @return the exit code: 0, 1 if the measurement failed, 2 if the options are wrong
     */
    static int run(String[] args, PrintStream out, PrintStream err) {
        try {
            Options options = new Options();
            CommandLine commandLine = options.commandLine();
            if (commandLine.parseArgs(args).isUsageHelpRequested()) {
                commandLine.usage(out);
                return 0;
            }
            options.check();
            if (options.transmitter()) {
                transmit(options, out, err);
            } else {
                receive(options, err);
            }
            return 0;
        } catch (ParameterException e) {
            err.println(ERROR + e.getMessage() + "; see --help");
            return USAGE;
        } catch (IntegrityException e) {
            err.println(e.getMessage());
            return FAILED;
        } catch (IOException e) {
            err.println(ERROR + e.getMessage());
            return FAILED;
        } catch (OutOfMemoryError e) {
            err.println(ERROR + "the messages do not fit into the heap: lower -u or raise the JVM's -Xmx");
            return FAILED;
        }
    }

    private static void transmit(Options options, PrintStream out, PrintStream err) throws IOException {
        try (Report report = openReport(options, err)) {
            WarmUp.run(options);
            int upper = upper(options, err);
            if (upper < options.upper()) {
                out.println("The upper limit is being set to " + upper + " Bytes");
                out.println("due to socket buffer size limitations");
            }
            Endpoint dialer = new Endpoint.Dialer(options.host(), options.port(), options.bufferSize());
            try (Link link = new Link(dialer)) {
                new Sweep(options, link, upper, report).run();
            }
        }
    }

    private static Report openReport(Options options, PrintStream err) {
        try {
            return Report.to(options.output(), err, options.integrity());
        } catch (IOException e) {
            throw options.refusal("-o", options.output(), "the path of a file that can be written");
        }
    }

    private static void receive(Options options, PrintStream err) throws IOException {
        InetSocketAddress address = new InetSocketAddress(options.port());
        try (Endpoint.Listener listener = new Endpoint.Listener(address, options.bufferSize())) {
            // A transmitter that connects now waits in the backlog until this end has warmed up.
            WarmUp.run(options);
            if (options.port() == 0) {
                err.println("Listening on port " + listener.port());
            }
            int upper = upper(options, err);
            try (Link link = new Link(listener)) {
                new Sweep(options, link, upper, Report.NONE).run();
            }
        }
    }

    /** Prints the sizes of the socket buffers, and returns the largest message that they allow. */
    private static int upper(Options options, PrintStream err) throws IOException {
        Endpoint.BufferSizes sizes = Endpoint.BufferSizes.of(options.bufferSize());
        err.println("Send and receive buffers are " + sizes.send() + " and " + sizes.receive() + " bytes");
        err.println("(A bug in Linux doubles the requested buffer sizes)");
        // Both ends write before they read. So the buffers must take all of a message, or both ends would block.
        return options.bothWays() ? Math.min(options.upper(), sizes.send() + sizes.receive()) : options.upper();
    }
}
