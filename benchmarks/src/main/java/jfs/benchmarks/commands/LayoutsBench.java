package jfs.benchmarks.commands;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import jfs.benchmarks.measurements.Vectors;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.report.Pages;
import jfs.benchmarks.report.Plot;
import jfs.benchmarks.report.Product;
import jfs.benchmarks.report.Report;
import jfs.benchmarks.statistics.Goal;
import jfs.benchmarks.statistics.Statistics;
import jfs.benchmarks.statistics.Turns;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import workloads.layouts.LayoutPeer;
import workloads.layouts.Manner;

/** Measures layouts: vectors of 1,000 blocks with stride, beside the same elements in one piece. */
@Command(
        name = "layouts",
        mixinStandardHelpOptions = true,
        description = "Vectors of 1,000 blocks of double with gaps of a block's length, there and back over JFS: by layouts of jfs-buffers"
                + " over typed streams and in messages, and by hand, beside the same elements in one piece, in turns.")
final class LayoutsBench implements Callable<Integer> {
    private static final double GOAL = 1.3;
    private static final int LENGTH_MAX = 4096; // 32 MB of elements
    private static final Map<Manner, String> TITLES = new EnumMap<>(Map.of(Manner.PIECE, "one piece", Manner.LAYOUT, "layout",
            Manner.LAYOUT_BOTH, "layout, both ends", Manner.PIECE_READ, "one piece, layout at the receiver", Manner.BY_HAND, "by hand",
            Manner.MESSAGE_PIECE, "message, one piece", Manner.MESSAGE, "message, layout"));
    private static final Map<Manner, Product> PRODUCTS = Map.of(Manner.PIECE, Product.FLOOR, Manner.LAYOUT, Product.JFS,
            Manner.LAYOUT_BOTH, Product.AGENT, Manner.PIECE_READ, Product.FLOOR, Manner.BY_HAND, Product.JDK,
            Manner.MESSAGE_PIECE, Product.FLOOR, Manner.MESSAGE, Product.LIBRARY);
    /** What is compared: a manner, and the one whose elements lie in one piece. */
    private static final Map<Manner, Manner> COMPARED = new EnumMap<>(Map.of(Manner.LAYOUT, Manner.PIECE, Manner.LAYOUT_BOTH, Manner.PIECE,
            Manner.PIECE_READ, Manner.PIECE, Manner.BY_HAND, Manner.PIECE, Manner.MESSAGE, Manner.MESSAGE_PIECE));

    @Mixin
    private Installation installation;

    @Mixin
    private Pages pages;

    @Spec
    private CommandSpec spec;

    @Option(names = "--libraries", required = true, paramLabel = "DIR", description = "Folder with the jar of jfs-buffers.")
    private Path libraries;

    @Option(
            names = "--forks", paramLabel = "N", defaultValue = "5",
            description = "Fresh pairs of JVMs for each way (default: ${DEFAULT-VALUE}).")
    private int forks;

    @Option(
            names = "--turns", paramLabel = "N", defaultValue = "9",
            description = "For each fork; a turn has all lengths (default: ${DEFAULT-VALUE}).")
    private int turns;

    @Option(
            names = "--lengths", split = ",", paramLabel = "N", defaultValue = "1,4,16,64,256",
            description = "Elements of a block (default: ${DEFAULT-VALUE}).")
    private List<Integer> lengths;

    @Override
    public Integer call() throws ChildFailure, InterruptedException, IOException {
        installation.check();
        installation.checkFile("--floor", installation.floor().folder().resolve("gather"));
        for (int length : lengths) {
            OptionValues.check(spec, "--lengths", length, length > 0 && length <= LENGTH_MAX, "1 to " + LENGTH_MAX);
        }
        Vectors measured = new Vectors(installation, buffers(), lengths);
        measured.run(forks, turns, new Progress(System.err));
        Report report = new Report("layouts", "Vectors of 1,000 blocks with stride beside the same elements in one piece",
                "A vector has 1,000 blocks of double, each of which begins two blocks' lengths behind the one before. It goes there and"
                        + " back between two JVMs over JFS, in ways that take turns.", Report.forks(forks));
        report.plot(plot(measured));
        report.table(table(measured));
        report.line(Turns.legend(forks, turns));
        report.line("Times are one way, half of there and back. Without another word a receiver reads into one piece.\n"
                + "By hand: the program copies the blocks into an array, which it writes to the typed stream.\n"
                + "C: one core copies the bytes once, without Java. A vector over a connection is copied twice.");
        report.line("");
        report.goals(goals(measured));
        report.line(measured.switching());
        pages.publish(report, installation);
        return 0;
    }

    /** Not the whole folder: the core's jar in it would stand before that of the agent. */
    private String buffers() throws IOException {
        installation.checkFile("--libraries", libraries);
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(libraries, "{jfs-buffers*,buffers}.jar")) {
            for (Path jar : jars) {
                return jar.toString();
            }
        }
        throw new ParameterException(spec.commandLine(), "--libraries: there is no jar of jfs-buffers in " + libraries);
    }

    private Plot plot(Vectors measured) {
        Plot plot = new Plot("Time over that of one piece", "elements of a block", "ratio", "Lower is faster.");
        for (int length : lengths) {
            COMPARED.forEach((manner, piece) -> plot.add(TITLES.get(manner), PRODUCTS.get(manner), Integer.toString(length),
                    measured.times(length).ratio(manner, piece), 1));
        }
        return plot;
    }

    private Table table(Vectors measured) {
        Table table = new Table("block", "bytes", "way", "us", "to one piece", "interval");
        for (int length : lengths) {
            Turns<Manner> times = measured.times(length);
            for (Manner manner : Manner.values()) {
                row(table, length, TITLES.get(manner), times, manner, COMPARED.get(manner));
            }
            Turns<Vectors.Copy> copies = measured.copies(length);
            row(table, length, "C, one copy, one piece", copies, Vectors.Copy.PIECE, null);
            row(table, length, "C, one copy, blocks", copies, Vectors.Copy.BLOCKS, Vectors.Copy.PIECE);
        }
        return table;
    }

    /** @param piece what has the elements in one piece, or null if that is {@code what} itself */
    private static <W> void row(Table table, int length, String title, Turns<W> times, W what, W piece) {
        Statistics.Estimate ratio = piece == null ? null : times.ratio(what, piece);
        table.add(Integer.toString(length), Integer.toString(LayoutPeer.BLOCKS * Double.BYTES * length), title, times.micros(what),
                ratio == null ? "" : Table.number(ratio.median()), ratio == null ? "" : ratio.interval());
    }

    private List<Goal> goals(Vectors measured) {
        List<Goal> goals = new ArrayList<>();
        for (int length : lengths) {
            for (Manner manner : List.of(Manner.LAYOUT, Manner.MESSAGE)) {
                goals.add(Goal.atMost(GOAL, TITLES.get(manner) + ", blocks of " + length + ", to one piece",
                        measured.times(length).ratio(manner, COMPARED.get(manner)).median()));
            }
        }
        return goals;
    }
}
