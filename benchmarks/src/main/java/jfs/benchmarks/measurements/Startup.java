package jfs.benchmarks.measurements;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.processes.Child;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.programs.Workload;
import jfs.benchmarks.statistics.Measurements;
import workloads.startup.EmptyAgent;

/** Times whole JVMs, from start to end. */
public final class Startup {
    private static final Map<String, List<String>> COMMANDS = Map.of(
            "no sockets", List.of("workloads.startup.Hello"),
            "one connection", List.of("workloads.startup.OneConnection"),
            "one connection of channels", List.of("workloads.startup.OneChannel"));
    private static final List<Side> SIDES = List.of(Side.JDK, Side.EMPTY_AGENT, Side.AGENT, Side.JFS);
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** A way to start a JVM that is compared with a plain start, and its title. {@link #STARTED} has the table's order. */
    public record Started(Side side, String title) {}

    public static final List<Started> STARTED = List.of(new Started(Side.EMPTY_AGENT, "empty agent"),
            new Started(Side.AGENT, "-javaagent"), new Started(Side.JFS, "JFSLauncher"));
    public static final List<String> PROGRAMS = COMMANDS.keySet().stream().sorted().toList();

    private final Installation installation;
    private final Measurements millis = new Measurements();
    private Path emptyAgent;

    public Startup(Installation installation) {
        this.installation = installation;
    }

    public void run(int forks, Progress progress) throws ChildFailure, InterruptedException, IOException {
        Path folder = Files.createTempDirectory("jfs-bench");
        emptyAgent = folder.resolve("empty-agent.jar");
        try {
            writeAgent(EmptyAgent.class, emptyAgent);
            measure(forks, progress);
        } finally {
            Files.deleteIfExists(emptyAgent);
            Files.delete(folder);
        }
    }

    /** An agent always comes as a jar. */
    private static void writeAgent(Class<?> agent, Path jar) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name("Premain-Class"), agent.getName());
        String file = agent.getName().replace('.', '/') + ".class";
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                InputStream compiled = agent.getClassLoader().getResourceAsStream(file)) {
            out.putNextEntry(new JarEntry(file));
            compiled.transferTo(out);
        }
    }

    private void measure(int forks, Progress progress) throws ChildFailure, InterruptedException {
        for (String program : PROGRAMS) {
            for (Side side : SIDES) {
                time(side, program); // the first start reads files that are not in memory yet
            }
        }
        for (int fork = 1; fork <= forks; fork++) {
            List<Side> order = new ArrayList<>(SIDES);
            if (fork % 2 == 0) {
                Collections.reverse(order);
            }
            for (String program : PROGRAMS) {
                for (Side side : order) {
                    progress.now(String.format("fork %d of %d  %s  %s", fork, forks, program, side));
                    millis.add(side, program, time(side, program));
                }
            }
            millis.forkDone();
        }
        progress.done(forks + " forks");
    }

    private double time(Side side, String program) throws ChildFailure, InterruptedException {
        List<String> command = installation.java(side.client(), Workload.programs(), COMMANDS.get(program), "off");
        if (side == Side.EMPTY_AGENT) {
            command.add(1, "-javaagent:" + emptyAgent);
        }
        long from = System.nanoTime();
        try (Child child = Child.start(program + " over " + side, command, line -> {})) {
            child.awaitSuccess(LIMIT);
            return (System.nanoTime() - from) * 1e-6;
        }
    }

    public Measurements millis() {
        return millis;
    }
}
