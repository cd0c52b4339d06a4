package jfs.benchmarks.programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The installation that is measured: options of every command, and the command lines that follow from them. */
public final class Installation {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--jfs", required = true, paramLabel = "JAR", description = "jfs.jar")
    private Path jfs;

    @Option(
            names = "--floor", required = true, paramLabel = "DIR",
            description = "Folder of the floor programs: shm-pingpong, shm-whole, scil-pingpong, tcp-pingpong, crowd, copy, gather.")
    private Path floor;

    @Option(
            names = "--java", paramLabel = "HOME",
            description = "JDK or JRE that runs the programs; default: the one that runs this.")
    private Path java = Path.of(System.getProperty("java.home"));

    private Path earlier;

    /** Sets the {@code jfs.jar} of {@link Side#EARLIER}. */
    public void compareWith(Path jar) {
        earlier = jar;
    }

    /** Throws an exception about a wrong path before any program has run. */
    public void check() {
        checkFile("--jfs", jfs);
        checkFile("--java", launcher());
        checkFile("--floor", floor.resolve("shm-pingpong"));
        checkFile("--floor", floor.resolve("scil-pingpong"));
        checkFile("--floor", floor.resolve("copy"));
    }

    public void checkFile(String option, Path file) {
        if (!Files.exists(file)) {
            throw new ParameterException(spec.commandLine(), option + ": there is no file " + file);
        }
    }

    /** Throws an exception if the Java that runs the programs is older. */
    public void checkVersion(String what, int since) {
        int version = version();
        if (version < since) {
            throw new ParameterException(spec.commandLine(),
                    what + " need JDK " + since + " or later; " + java + " is " + version + " (--java names another)");
        }
    }

    /** The first number of the Java version, from the file {@code release}, which each JDK and JRE has. */
    private int version() {
        Path release = java.resolve("release");
        try {
            String version = Files.readAllLines(release).stream().filter(line -> line.startsWith("JAVA_VERSION="))
                    .findFirst().orElse("").replaceAll(".*\"(\\d+).*", "$1");
            return Integer.parseInt(version);
        } catch (IOException | NumberFormatException e) {
            throw new ParameterException(spec.commandLine(), "--java: " + release + " tells no version");
        }
    }

    public Floor floor() {
        return new Floor(floor);
    }

    /** The path of {@code jfs.jar}, for a program that uses JFS's own interfaces. */
    public String jar() {
        return jfs.toString();
    }

    /** The folder of the Java that runs the programs. */
    public Path javaHome() {
        return java;
    }

    private Path launcher() {
        return java.resolve("bin").resolve("java");
    }

    /**
     * The command line of a Java program. All sides get the same JVM with its default flags.
     *
     * @param program main class and arguments
     * @param log what JFS logs: {@code all} to show whether the connection was switched, since a run over plain TCP measures something
     *     else; {@code fallback} where a line for each of thousands of connections would itself be part of what is measured
     */
    public List<String> java(Side.Start start, String classPath, List<String> program, String log) {
        List<String> command = new ArrayList<>();
        command.add(launcher().toString());
        switch (start) {
            case PLAIN -> command.addAll(List.of("-cp", classPath));
            case LAUNCHER -> command.addAll(launched(jfs, classPath, log));
            case EARLIER -> command.addAll(launched(earlier, classPath, log));
            case AGENT -> command.addAll(List.of("-Djfs.log=" + log, "-javaagent:" + jfs, "-cp", classPath));
            case AGENT_NIO -> command.addAll(List.of("-Djfs.nio=on", "-Djfs.log=" + log, "-javaagent:" + jfs, "-cp", classPath));
        }
        command.addAll(program);
        return command;
    }

    private static List<String> launched(Path jar, String classPath, String log) {
        return List.of("-Djfs.log=" + log, "-cp", jar + ":" + classPath, "JFSLauncher");
    }
}
