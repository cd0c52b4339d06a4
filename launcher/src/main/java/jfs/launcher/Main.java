package jfs.launcher;

import java.util.Arrays;

/** {@code java -jar jfs.jar COMMAND ...}. Exit codes: 0, 1 if the command was tried and failed, 2 if it was given wrongly. */
public final class Main {

    private static final String LAUNCHER = "java -jar jfs.jar run";

    private Main() {
    }

    /**
     * Executes the command that the first argument names. {@code run} loads none of the classes that the other commands need
     * ({@link CommandLoader}).
     *
     * @throws Throwable what the main method of the program threw, with the command {@code run}
     */
    public static void main(String[] args) throws Throwable {
        String command = args.length == 0 ? "" : args[0];
        boolean help = args.length > 1 && (args[1].equals("--help") || args[1].equals("-h") && !command.equals("netpipe"));
        if (command.equals("netpipe") && !help) {
            CommandLoader.netpipe(args);
            return;
        }
        if (!command.equals("run") || help) {
            System.exit(CommandLoader.execute(args));
        }
        Program program = Program.prepare(LAUNCHER, Arrays.copyOfRange(args, 1, args.length));
        try { // invoked here, so that the program's stack traces end in one frame of the launcher
            program.initialise();
            program.main().invokeExact(program.arguments());
        } catch (Throwable e) {
            throw Program.thrown(e);
        }
    }
}
