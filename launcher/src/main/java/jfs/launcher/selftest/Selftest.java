package jfs.launcher.selftest;

import java.io.PrintStream;
import java.nio.file.Path;

/**
 * Says whether JFS works on this machine, with this Java and these settings: first what it needs of the system, then a conversation
 * between two JVMs that it starts. It changes nothing, and when it ends it leaves no process and no file.
 */
public final class Selftest {

    private Selftest() {
    }

    /**
     * Runs all checks and prints a line for each. The last line is {@code PASSED}, {@code PASSED WITH ISSUES} or {@code FAILED}. Takes some
     * seconds, and less than three minutes where the conversations hang.
     *
     * @param jar jfs.jar, by which the two JVMs are started
     * @param json whether to print a JSON object instead of lines
     * @return the exit code: 0 if JFS works, also with issues; 1 if it does not
     */
    public static int run(Path jar, boolean json, PrintStream out) {
        Report report = new Report(out, json);
        PlatformChecks platform = new PlatformChecks();
        SettingsChecks settings = new SettingsChecks();
        report.add(platform.platform());
        report.add(platform.java());
        report.add(platform.securityManager());
        report.add(settings.settings());
        Finding natives = platform.natives(settings);
        report.add(natives);
        boolean usable = natives.verdict() == Verdict.OK;
        KernelChecks.all(usable, settings).forEach(report::add);
        LimitChecks.all(usable).forEach(report::add);
        SurroundingsChecks.all().forEach(report::add);
        if (usable) {
            report.add(settings.user());
        }
        MxChecks mx = new MxChecks(usable, settings);
        mx.all().forEach(report::add);
        new ConversationChecks(jar, usable && settings.areGood(), settings, mx).all(report::add);
        return report.end();
    }
}
