package jfs.launcher;

import java.io.PrintStream;
import java.util.Arrays;
import jfs.launcher.selftest.Selftest;

/** {@code java -jar jfs.jar COMMAND ...}. Exit codes: 0, 1 if the command was tried and failed, 2 if it was given wrongly. */
public final class Main {

    private static final String LAUNCHER = "java -jar jfs.jar run";

    private Main() {
    }

    /**
     * Executes the command that the first argument names.
     *
     * @throws Throwable what the main method of the program threw, with the command {@code run}
     */
    public static void main(String[] args) throws Throwable {
        String command = args.length == 0 ? "" : args[0];
        String[] rest = args.length == 0 ? args : Arrays.copyOfRange(args, 1, args.length);
        if (!command.equals("run")) {
            System.exit(execute(command, rest));
        }
        Program program = Program.prepare(LAUNCHER, rest);
        try { // invoked here, so that the program's stack traces end in one frame of the launcher
            program.initialise();
            program.main().invokeExact(program.arguments());
        } catch (Throwable e) {
            throw Program.thrown(e);
        }
    }

    private static int execute(String command, String[] args) {
        try {
            switch (command) {
                case "attach" -> Attach.execute(args, System.out);
                case "selftest" -> {
                    return selftest(args);
                }
                case "rules" -> CheckRules.execute(args, System.out);
                case "help", "--help", "-h" -> usage(System.out);
                case "" -> {
                    usage(System.err);
                    return 2;
                }
                default -> throw new LauncherException("unknown command " + command
                        + "; the commands are run, attach, rules, selftest and help");
            }
            return 0;
        } catch (LauncherException e) {
            System.err.println(e.getMessage());
            return e.exitCode;
        }
    }

    private static int selftest(String[] args) throws LauncherException {
        boolean json = args.length == 1 && args[0].equals("--json");
        if (args.length > 0 && !json) {
            throw new LauncherException("selftest takes no argument but --json; use: java -jar jfs.jar selftest [--json]");
        }
        return Selftest.run(OwnJar.path(), json, System.out);
    }

    private static void usage(PrintStream to) {
        to.print("""
                java [options] -jar jfs.jar run [-jar app.jar | MainClass] args...
                    runs a program on JFS sockets; options are java's own, and settings: -Djfs.log=all
                java -jar jfs.jar attach PID [jfs.name=value]...
                    lets a running JVM use JFS for new sockets; sockets that exist already stay as they are
                java -jar jfs.jar rules check FILE [HOST PORT]
                    reads a file of rules (jfs.rules) and says what it means, and what it decides for a host and port
                java -jar jfs.jar selftest [--json]
                    says whether JFS works on this machine, and if not, what to do; it lets two JVMs converse
                java -jar jfs.jar help
                    this text

                java -javaagent:jfs.jar[=jfs.name=value,...] [options] [-jar app.jar | -m module | MainClass] args...
                    the way that suits every program; works from JAVA_TOOL_OPTIONS too
                """);
    }
}
