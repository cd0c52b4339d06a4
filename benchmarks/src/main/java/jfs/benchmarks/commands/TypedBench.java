package jfs.benchmarks.commands;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import jfs.benchmarks.measurements.Sweeps;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.report.Pages;
import jfs.benchmarks.report.Plot;
import jfs.benchmarks.results.TypedTimes.Way;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import workloads.arrays.ElementType;

/** Measures arrays of primitive types there and back: JFS's typed streams beside the ways that Java has. */
@Command(
        name = "typed",
        mixinStandardHelpOptions = true,
        description = "Arrays of primitive types there and back: JFS's typed streams and claims, beside byte[], DataOutputStream, "
                + "ObjectOutputStream and channels with buffers of java.nio.")
final class TypedBench implements Callable<Integer> {
    @Mixin
    private Installation installation;

    @Mixin
    private Pages pages;

    @Option(
            names = "--forks", paramLabel = "N", defaultValue = "5",
            description = "Fresh pairs of JVMs for each way and type (default: ${DEFAULT-VALUE}).")
    private int forks;

    @Option(
            names = "--turns", paramLabel = "N", defaultValue = "9",
            description = "For each fork; a turn has all sizes (default: ${DEFAULT-VALUE}).")
    private int turns;

    @Option(
            names = "--types", split = ",", paramLabel = "TYPE", defaultValue = "double,int,byte",
            description = "Of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private List<ElementType> types;

    @Option(
            names = "--sizes", split = ",", paramLabel = "BYTES", defaultValue = "8,64,512,4096,16384,65536,262144,1048576,4194304",
            description = "Multiples of 8 (default: ${DEFAULT-VALUE}).")
    private List<Integer> sizes;

    @Option(
            names = "--ways", split = ",", paramLabel = "WAY",
            description = "Of ${COMPLETION-CANDIDATES} (default: all). WRAP, CHUNK and HYBRID do not exist for BOOLEAN, as java.nio has no "
                    + "view of a buffer as boolean. COMPUTED_... exist for DOUBLE only.")
    private List<Way> ways = List.of(Way.values());

    @Option(names = "--out", paramLabel = "DIR", description = "Folder in which the plots are written as files too.")
    private Path out;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws ChildFailure, InterruptedException, IOException {
        installation.check();
        for (int bytes : sizes) {
            OptionValues.check(spec, "--sizes", bytes, bytes % Long.BYTES == 0, "a multiple of 8");
        }
        Progress progress = new Progress(System.err);
        Sweeps sweeps = new Sweeps(installation, ways, sizes);
        for (int fork = 1; fork <= forks; fork++) {
            String title = String.format("fork %d of %d", fork, forks);
            for (ElementType type : types) {
                progress.now(title + "  " + type);
                sweeps.fork(type, turns);
            }
            progress.done(title);
        }
        if (out != null) {
            Files.createDirectories(out);
            for (ElementType type : types) {
                List<Plot> plots = sweeps.times().plots(type, sizes);
                for (int i = 0; i < plots.size(); i++) {
                    String name = String.format("typed-%s-%d.png", type.name().toLowerCase(Locale.ROOT), i + 1);
                    plots.get(i).save(out.resolve(name));
                }
            }
        }
        pages.publish(sweeps.times().report(types, sizes, forks, turns), installation);
        return 0;
    }
}
