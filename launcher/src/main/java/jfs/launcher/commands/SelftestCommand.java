package jfs.launcher.commands;

import java.util.concurrent.Callable;
import jfs.launcher.OwnJar;
import jfs.launcher.selftest.Selftest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code selftest [--json]} */
@Command(name = "selftest",
        description = {"Says whether JFS works on this machine.", "If not, it says what to do. It lets two JVMs converse, and takes about"
            + " ten seconds. The last line is PASSED, PASSED WITH ISSUES or FAILED.", ""})
final class SelftestCommand implements Callable<Integer> {

    @Mixin
    private HelpOption help;

    @Option(names = "--json", description = "Prints a JSON object instead of lines.")
    private boolean json;

    @Override
    public Integer call() {
        return Selftest.run(OwnJar.path(), json, System.out);
    }
}
