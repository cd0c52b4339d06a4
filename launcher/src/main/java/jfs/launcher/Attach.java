package jfs.launcher;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The command {@code attach PID [jfs.name=value]...}: loads the {@link Agent} into a running JVM. */
public final class Attach {

    private static final Path PROC = Path.of("/proc");
    private static final int SIGQUIT = 3;

    private Attach() {
    }

    /**
     * Loads the agent into a JVM of this user. Blocks until the agent is done there.
     *
     * @param process the process id of the JVM
     * @param given settings for that JVM, as {@code jfs.name=value}
     * @return one line that says so
     * @throws LauncherException if that JVM does not use JFS for new sockets now; the message says why
     */
    public static String execute(String process, List<String> given) throws LauncherException {
        if (!process.matches("[1-9][0-9]{0,9}")) {
            throw new LauncherException("attach needs the process id of a JVM, not " + process);
        }
        String settings = String.join(",", given);
        try {
            Agent.settings(settings); // checks the form only; the target JVM checks names and values
        } catch (IllegalArgumentException e) {
            throw new LauncherException(e.getMessage());
        }
        if (ModuleLayer.boot().findModule("jdk.attach").isEmpty()) {
            throw LauncherException.failure("attaching needs the module jdk.attach, which this Java runtime lacks: "
                    + System.getProperty("java.home"));
        }
        refuseWhatIsNoJvm(process);
        String outcome = Target.load(process, settings);
        if (!Agent.INSTALLED.equals(outcome)) {
            throw LauncherException.failure("process " + process + " is unchanged: "
                    + outcome.replaceFirst("^jfs: ", ""));
        }
        return "jfs: process " + process + " " + outcome;
    }

    /**
     * Refuses processes that are not JVMs. The JDK wakes a JVM's attach thread by SIGQUIT, and JDK 17 sends that signal to any
     * process. A process that doesn't catch it would die. Most processes that catch it and are no JVMs would end too, in an
     * orderly way: nginx, PostgreSQL, all programs written in Go.
     */
    private static void refuseWhatIsNoJvm(String process) throws LauncherException {
        if (!Files.exists(PROC)) {
            throw LauncherException.failure("attach can't tell JVMs from other processes here: there is no " + PROC);
        }
        if (!Files.exists(PROC.resolve(process))) {
            throw LauncherException.failure("there is no process " + process + " here");
        }
        try {
            if (!runsLibjvm(process)) {
                throw LauncherException.failure("process " + process + " is not a JVM: it has no libjvm.so mapped");
            }
            if (!catchesSigquit(process)) { // for example with java -Xrs
                throw LauncherException.failure("process " + process + " is a JVM that can't be attached to: it doesn't"
                        + " catch SIGQUIT");
            }
        } catch (AccessDeniedException e) {
            throw LauncherException.failure(ClosedProcess.why(process, "attach to"));
        } catch (IOException e) { // it has just ended, for example
            throw LauncherException.failure("can't look into process " + process + ": " + e);
        }
    }

    /** Whether the process has libjvm.so mapped as executable code. A debugger may have the file mapped too, but only as data. */
    private static boolean runsLibjvm(String process) throws IOException {
        return lines(process, "maps").anyMatch(line -> line.matches("\\S+ r-xp .*/libjvm\\.so( \\(deleted\\))?"));
    }

    private static boolean catchesSigquit(String process) throws IOException {
        long caught = lines(process, "status").filter(line -> line.startsWith("SigCgt:")).findFirst()
                .map(line -> Long.parseUnsignedLong(line.substring("SigCgt:".length()).trim(), 16)).orElse(0L);
        return (caught >> SIGQUIT - 1 & 1) != 0;
    }

    private static Stream<String> lines(String process, String file) throws IOException {
        return Files.readAllLines(PROC.resolve(process).resolve(file), StandardCharsets.ISO_8859_1).stream();
    }

    /** The only class that needs the module jdk.attach. It is loaded only where that module exists. */
    private static final class Target {

        /** @return the agent's result */
        static String load(String process, String settings) throws LauncherException {
            String jar = OwnJar.path().toString();
            try {
                VirtualMachine jvm = VirtualMachine.attach(process);
                try {
                    jvm.loadAgent(jar, settings);
                    return jvm.getSystemProperties().getProperty(AgentEntry.OUTCOME, "the agent left no result");
                } finally {
                    jvm.detach();
                }
            } catch (AttachNotSupportedException | AgentInitializationException | IOException e) {
                throw LauncherException.failure("can't attach to process " + process + ": " + e.getMessage());
            } catch (AgentLoadException e) {
                throw LauncherException.failure("process " + process + " can't load " + jar
                        + " (which it must be able to read, and its runtime must have the module java.instrument): "
                        + e.getMessage());
            }
        }
    }
}
