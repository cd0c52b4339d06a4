package jfs.launcher.commands;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import jfs.launcher.LauncherException;
import jfs.launcher.status.JfsProcess;
import jfs.launcher.status.JsonReport;
import jfs.launcher.status.PrometheusReport;
import jfs.launcher.status.TextReport;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code status [PID] [--json | --prometheus] [--watch[=SECONDS]]} */
@Command(name = "status",
        description = {"Shows the processes of JFS and their connections.", "Which are fast, which are not, and why. It attaches to"
            + " no process and stops none.", ""})
final class StatusCommand implements Callable<Integer> {

    /** Moves the cursor to the top and clears the screen: ECMA-48. */
    private static final String CLEAR = "\u001b[H\u001b[2J";

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

    @Option(names = "--watch", arity = "0..1", fallbackValue = "2", paramLabel = "SECONDS",
            description = "Shows it again and again, every 2 seconds or as often as given, until it is interrupted.")
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
        for (;;) {
            List<JfsProcess> found = process == null ? JfsProcess.all() : List.of(JfsProcess.of(process));
            String text = form.json ? JsonReport.of(found) : form.prometheus ? PrometheusReport.of(found) : TextReport.of(found);
            if (seconds == null) {
                out.print(text);
                out.flush();
                return 0;
            }
            out.print((form.json || form.prometheus ? "" : CLEAR) + text);
            out.flush();
            Thread.sleep(seconds * 1_000L);
        }
    }
}
