package jfs.launcher;

import java.util.Arrays;
import jfs.launcher.commands.Commands;

/** {@code java -jar jfs.jar COMMAND ...}. Exit codes: 0, 1 if the command was tried and failed, 2 if it was given wrongly. */
public final class Main {

    private static final String LAUNCHER = "java -jar jfs.jar run";

    private Main() {
    }

    /**
     * Executes the command that the first argument names. All but {@code run} are {@link Commands}. The class is not loaded for a program
     * that is run: it would bring in picocli.
     *
     * @throws Throwable what the main method of the program threw, with the command {@code run}
     */
    public static void main(String[] args) throws Throwable {
        if (!runs(args)) {
            System.exit(Commands.execute(args));
        }
        Program program = Program.prepare(LAUNCHER, Arrays.copyOfRange(args, 1, args.length));
        try { // invoked here, so that the program's stack traces end in one frame of the launcher
            program.initialise();
            program.main().invokeExact(program.arguments());
        } catch (Throwable e) {
            throw Program.thrown(e);
        }
    }

    private static boolean runs(String[] args) {
        return args.length > 0 && args[0].equals("run")
                && !(args.length > 1 && (args[1].equals("--help") || args[1].equals("-h")));
    }
}
