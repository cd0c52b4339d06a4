package netpipe;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line: NPtcp's options, and three that NPtcp lacks. As in NPtcp, options take effect in the order they are given. */
@Command(name = "netpipe-java", sortOptions = false, sortSynopsis = false, usageHelpAutoWidth = true, separator = " ",
        header = "NetPIPE over Java's sockets: one-way times and throughput for growing messages.",
        description = {"", "Start the receiver without -h, then the transmitter with -h. Give both the same options; "
                + "either may be NPtcp.", ""},
        footer = {"", "Exit codes: 0 done, 1 the measurement failed, 2 an option is wrong."})
final class Options {

    /** NPtcp's options for other things than TCP, and why each is refused here. */
    private static final Map<String, String> REFUSED = new TreeMap<>(Map.ofEntries(
            Map.entry("-A", "java.net.Socket has no SDP"),
            Map.entry("-B", "TCP has no receives to post in advance"),
            Map.entry("-D", "it names an InfiniBand port"),
            Map.entry("-S", "synchronous sends are MPI's"),
            Map.entry("-X", "attach a debugger with the JVM's -agentlib:jdwp instead"),
            Map.entry("-a", "TCP has no receives to post in advance"),
            Map.entry("-c", "completion types are InfiniBand's"),
            Map.entry("-d", "it names a disk file"),
            Map.entry("-f", "fences are MPI-2's"),
            Map.entry("-g", "one-sided gets are MPI-2's"),
            Map.entry("-m", "it sets InfiniBand's MTU"),
            Map.entry("-t", "communication types are InfiniBand's"),
            Map.entry("-z", "receiving from any source is MPI's")));

    private static final int INTEGRITY_LOWER = Integer.BYTES + 1;
    private static final int MOST_BYTES = 1_000_000_000;
    private static final int MOST_OFFSET = 1_000_000;

    @Spec
    private CommandSpec spec;

    private String host;
    private int port = 5002;
    private int lower = 1;
    private int upper = 10_000_000;
    private int perturbation = 3;
    private int repeats;
    private Path output = Path.of("np.out");
    private int bufferSize;
    private boolean stream;
    private boolean bothWays;
    private boolean integrity;
    private boolean cached = true;
    private boolean resetting;
    private int sendOffset;
    private int receiveOffset;
    private double warmUpSeconds = 1;
    private double trialSeconds = 0.10;
    private int firstRepeats;

    @Option(order = 1, names = "-h", paramLabel = "HOST",
            description = "Transmit to the receiver on HOST; without -h, be the receiver.")
    void host(String value) {
        if (value.isBlank()) {
            throw refusal("-h", value, "a host's name or address");
        }
        host = value;
    }

    @Option(order = 2, names = "-P", paramLabel = "PORT",
            description = "The receiver's port (5002). 0 on the receiver: any free one, told on standard error.")
    void port(String value) {
        port = whole("-P", value, 0, 65535);
    }

    @Option(order = 3, names = "-l", paramLabel = "BYTES", description = "The lowest size (1).")
    void lower(String value) {
        lower = whole("-l", value, 1, MOST_BYTES);
    }

    @Option(order = 4, names = "-u", paramLabel = "BYTES", description = "The highest size (10000000).")
    void upper(String value) {
        upper = whole("-u", value, 1, MOST_BYTES);
    }

    @Option(order = 5, names = "-p", paramLabel = "BYTES",
            description = "Measure also this much below and above each size (3); 0 for none.")
    void perturbation(String value) {
        perturbation = whole("-p", value, 0, MOST_BYTES);
    }

    @Option(order = 6, names = "-n", paramLabel = "COUNT",
            description = "Repeat every size COUNT times; 0, the default, for as often as fills a trial.")
    void repeats(String value) {
        repeats = whole("-n", value, 0, Integer.MAX_VALUE);
    }

    @Option(order = 7, names = "-o", paramLabel = "FILE", description = "The transmitter's results (np.out).")
    void output(String value) {
        try {
            output = Path.of(value);
        } catch (InvalidPathException e) {
            throw refusal("-o", value, "the path of a file that can be written");
        }
    }

    @Option(order = 8, names = "-b", paramLabel = "BYTES",
            description = "The sizes of the socket's buffers; 0, the default, for the system's.")
    void bufferSize(String value) {
        bufferSize = whole("-b", value, 0, MOST_BYTES);
    }

    @Option(order = 9, names = "-s", description = "Stream in one direction; a new connection for every trial.")
    void stream(boolean value) {
        stream = value;
        resetting |= value;
    }

    @Option(order = 10, names = "-2",
            description = "Send in both directions at the same time. The socket's buffers limit the size.")
    void bothWays(boolean value) {
        bothWays = value;
    }

    @Option(order = 11, names = "-i", description = "Check the contents of what arrives instead of measuring.")
    void integrity(boolean value) {
        integrity = value;
        if (value) {
            lower = INTEGRITY_LOWER;
            perturbation = 0;
        }
    }

    @Option(order = 12, names = "-I", description = "Measure without the effects of the caches.")
    void uncached(boolean value) {
        cached = !value;
    }

    @Option(order = 13, names = "-r", description = "A new connection for every trial.")
    void resetting(boolean value) {
        resetting |= value;
    }

    @Option(order = 14, names = "-O", paramLabel = "SEND[,RECEIVE]",
            description = "Offsets of the messages in their buffers (0,0); one number is for both.")
    void offsets(String value) {
        String[] offsets = value.split(",", -1);
        if (offsets.length > 2) {
            throw refusal("-O", value, "one or two whole numbers from 0 to " + MOST_OFFSET + ", with a comma between");
        }
        sendOffset = whole("-O", offsets[0], 0, MOST_OFFSET);
        receiveOffset = whole("-O", offsets[offsets.length - 1], 0, MOST_OFFSET);
    }

    @Option(order = 15, names = "--warmup", paramLabel = "SECONDS",
            description = "Let the JVM compile for this long, within this process, before the sweep (1).")
    void warmUpSeconds(String value) {
        warmUpSeconds = decimal("--warmup", value, 0, 600);
    }

    @Option(order = 16, names = "--trial-seconds", paramLabel = "SECONDS",
            description = "How long a trial's messages shall take one way (0.10), so up to twice that there and "
                    + "back; every size has three trials. The transmitter decides.")
    void trialSeconds(String value) {
        trialSeconds = decimal("--trial-seconds", value, 0.0001, 600);
    }

    @Option(order = 17, names = "--first-repeats", paramLabel = "N",
            description = "At least this many repeats of the first size (0), whose time is estimated from 100 messages "
                    + "of programs that have only just started. The transmitter decides.")
    void firstRepeats(String value) {
        firstRepeats = whole("--first-repeats", value, 0, Integer.MAX_VALUE);
    }

    @Option(order = 18, names = "--help", usageHelp = true, description = "Print this and exit.")
    private boolean help;

    /** A parser that fills this object. */
    CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(this);
        commandLine.setOverwrittenOptionsAllowed(true);
        commandLine.setExpandAtFiles(false);
        REFUSED.forEach((name, reason) -> commandLine.getCommandSpec().addOption(OptionSpec.builder(name)
                .hidden(true)
                .parameterConsumer((args, option, command) -> {
                    throw new ParameterException(commandLine, name + " is not for TCP in Java: " + reason);
                })
                .build()));
        return commandLine;
    }

    /** Checks what can be checked only once all options are known. */
    void check() {
        if (stream && bothWays) {
            throw new ParameterException(spec.commandLine(), "-s and -2 exclude each other: give one of them");
        }
        if (lower > upper) {
            throw refusal("-l", lower, "a size up to -u " + upper);
        }
        if (transmitter() && port == 0) {
            throw refusal("-P", port, "a whole number from 1 to 65535 with -h");
        }
    }

    private int whole(String name, String value, int least, int most) {
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Refused below, as a number out of range is.
        }
        throw refusal(name, value, "a whole number from " + least + " to " + most);
    }

    private double decimal(String name, String value, double least, double most) {
        try {
            double number = Double.parseDouble(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Refused below, as a number out of range is.
        }
        throw refusal(name, value, "a number from " + least + " to " + most);
    }

    ParameterException refusal(String name, Object value, String allowed) {
        return new ParameterException(spec.commandLine(), name + " " + value + ": must be " + allowed);
    }

    boolean transmitter() {
        return host != null;
    }

    String host() {
        return host;
    }

    int port() {
        return port;
    }

    int lower() {
        return lower;
    }

    int upper() {
        return upper;
    }

    int perturbation() {
        return perturbation;
    }

    int repeats() {
        return repeats;
    }

    Path output() {
        return output;
    }

    int bufferSize() {
        return bufferSize;
    }

    boolean stream() {
        return stream;
    }

    boolean bothWays() {
        return bothWays;
    }

    boolean integrity() {
        return integrity;
    }

    boolean cached() {
        return cached;
    }

    boolean resetting() {
        return resetting;
    }

    int sendOffset() {
        return sendOffset;
    }

    int receiveOffset() {
        return receiveOffset;
    }

    double warmUpSeconds() {
        return warmUpSeconds;
    }

    int firstRepeats() {
        return firstRepeats;
    }

    double trialSeconds() {
        return trialSeconds;
    }
}
