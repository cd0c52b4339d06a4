package jfs.launcher;

import java.util.Arrays;
import jfs.launcher.commands.Commands;

/** {@code java -jar jfs.jar COMMAND ...}. Exit codes: 0, 1 if the command was tried and failed, 2 if it was given wrongly. */
public final class Main {

    private static final String LAUNCHER = "java -jar jfs.jar run";

    private Main() {
    }

    /**
     * Executes the command that the first argument names. All but {@code run} and {@code netpipe} are {@link Commands}. The class is not
     * loaded for a program that is run: it would bring in picocli.
     *
     * @throws Throwable what the main method of the program threw, with the command {@code run}
     */
    public static void main(String[] args) throws Throwable {
        String[] program = program(args);
        if (program == null) {
            System.exit(Commands.execute(args));
        }
        Program prepared = Program.prepare(LAUNCHER, program);
        try { // invoked here, so that the program's stack traces end in one frame of the launcher
            prepared.initialise();
            prepared.main().invokeExact(prepared.arguments());
        } catch (Throwable e) {
            throw Program.thrown(e);
        }
    }

    /** The program to run on JFS sockets, and its arguments; null for the other commands. */
    private static String[] program(String[] args) {
        boolean help = args.length > 1 && (args[1].equals("--help") || args[1].equals("-h") && args[0].equals("run"));
        if (args.length == 0 || help) {
            return null;
        }
        if (args[0].equals("run")) {
            return Arrays.copyOfRange(args, 1, args.length);
        }
        return args[0].equals("netpipe") ? Netpipe.program(args) : null;
    }
}
