package jfs.launcher.commands;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import jfs.launcher.LauncherException;
import jfs.launcher.status.Ends;
import jfs.launcher.status.JfsProcess;
import jfs.launcher.status.JsonReport;
import jfs.launcher.status.PrometheusReport;
import jfs.launcher.status.Rates;
import jfs.launcher.status.Screen;
import jfs.launcher.status.TextReport;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code status [PID] [--json | --prometheus] [--all] [--watch[=SECONDS]]} */
@Command(name = "status",
        description = {"Shows the processes of JFS and their connections.", "Which are fast, which are not, and why. It attaches to"
            + " no process and stops none.", ""})
final class StatusCommand implements Callable<Integer> {

    @Mixin
    private HelpOption help;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", arity = "0..1", paramLabel = "PID", description = "Shows this process alone.")
    private String process;

    @ArgGroup
    private Form form = new Form();

    /** One of them, or none. */
    private static final class Form {
        @Option(names = "--json", description = "Prints a JSON object.")
        private boolean json;

        @Option(names = "--prometheus", description = "Prints the totals in Prometheus' text format.")
        private boolean prometheus;
    }

    @Option(names = "--all", description = "Shows all connections of a process, and not only those with the most bytes.")
    private boolean allConnections;

    @Option(names = "--watch", arity = "0..1", fallbackValue = "2", paramLabel = "SECONDS",
            description = "Shows it again and again, every 2 seconds or as often as given, until it is interrupted: with the bytes and"
                + " waits of each second.")
    private Integer seconds;

    @Override
    public Integer call() throws LauncherException, InterruptedException {
        if (process != null && !process.matches("[1-9][0-9]{0,9}")) {
            throw new LauncherException("bad process id " + process + "; allowed is the number of a process");
        }
        if (seconds != null && (seconds < 1 || seconds > 86_400)) {
            throw new LauncherException("bad number of seconds " + seconds + " of --watch; allowed is 1 to 86400");
        }
        PrintWriter out = spec.commandLine().getOut();
        if (seconds == null) {
            out.print(look(null));
            out.flush();
            return 0;
        }
        Rates rates = new Rates();
        try (Screen screen = new Screen(out, !form.json && !form.prometheus)) {
            for (;;) {
                screen.show(look(rates));
                if (out.checkError() || System.out.checkError()) { // nobody reads any more; out does not see the errors of System.out
                    return 0;
                }
                Thread.sleep(seconds * 1_000L);
            }
        }
    }

    private String look(Rates rates) throws LauncherException {
        if (rates != null) {
            rates.begin(System.nanoTime());
        }
        List<JfsProcess> all = JfsProcess.all();
        List<JfsProcess> shown = process == null ? all : List.of(JfsProcess.among(all, process));
        Ends ends = new Ends(all);
        String text;
        try {
            text = form.json ? JsonReport.of(shown, ends) : form.prometheus ? PrometheusReport.of(shown, ends)
                    : TextReport.of(shown, ends, allConnections, rates);
        } catch (InternalError e) { // the JVM's word for a mapped file that has lost the page
            throw LauncherException.failure("a process has cut off its table of connections while it was read");
        }
        if (rates != null) {
            rates.end(shown);
        }
        return text;
    }
}
