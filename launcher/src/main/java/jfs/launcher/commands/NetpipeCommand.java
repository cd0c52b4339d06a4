package jfs.launcher.commands;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The help of {@code netpipe}, with the options that are used most, and its completion. {@link jfs.launcher.Main} itself runs the program,
 * which has a command line of its own: {@code -h} means the host there, as in NetPIPE.
 */
@Command(name = "netpipe", synopsisHeading = "Use: ", sortOptions = false, separator = " ",
        customSynopsis = {"java -jar jfs.jar netpipe [--plain] [options]           the receiver, first",
            "     java -jar jfs.jar netpipe [--plain] -h HOST [options]   the transmitter"},
        description = {"Measures messages of growing size between two processes.", "NetPIPE on JFS sockets. The other end may be NPtcp."
            + " Give both ends the same options.", ""},
        footer = {"", "netpipe --plain --help tells all options."})
final class NetpipeCommand {

    @Option(names = "--help", usageHelp = true, description = "Prints this text.")
    private boolean asked;

    @Option(names = "--plain", description = "On the JDK's sockets, to compare. It has to come first.")
    private boolean plain;

    @Option(names = "-h", paramLabel = "HOST", description = "Transmits to the receiver on HOST. Without it: receives.")
    private String host;

    @Option(names = "-P", paramLabel = "PORT", description = "The receiver's port, 5002 by default.")
    private String port;

    @Option(names = "-l", paramLabel = "BYTES", description = "The lowest size, 1 by default.")
    private String lower;

    @Option(names = "-u", paramLabel = "BYTES", description = "The highest size, 10000000 by default.")
    private String upper;

    @Option(names = "-o", paramLabel = "FILE", description = "Where the results go, np.out by default.")
    private String output;

    @Option(names = "-s", description = "Streams in one direction.")
    private boolean stream;

    @Option(names = "-2", description = "Sends in both directions at the same time.")
    private boolean bothWays;

    @Option(names = "-i", description = "Checks the contents of what arrives, and measures nothing.")
    private boolean integrity;

    @Option(names = "--trial-seconds", paramLabel = "SECONDS", description = "How long a trial takes one way, 0.1 by default.")
    private String trialSeconds;

    @Parameters(hidden = true)
    private List<String> others;
}
