package jfs.benchmarks.commands;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.programs.Floor;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.report.Pages;
import jfs.benchmarks.report.Plot;
import jfs.benchmarks.report.Product;
import jfs.benchmarks.report.Report;
import jfs.benchmarks.statistics.Goal;
import jfs.benchmarks.statistics.Measurements;
import jfs.benchmarks.statistics.Statistics;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures the SISCI library as a program in C uses it, beside comparable programs without the library. No Java takes part. */
@Command(
        name = "sisci",
        mixinStandardHelpOptions = true,
        description = "The SISCI library between two programs in C: its memory, its interrupts, making and removing them.")
final class SisciBench implements Callable<Integer> {
    private static final List<Integer> SIZES = List.of(8, 1024, 65_536);
    private static final int SEGMENT = 65_536;
    private static final String CONNECTED = "by hand, connected for it";
    private static final String BY_HAND = "by hand, over a socket";

    @Mixin
    private Installation installation;

    @Mixin
    private Pages pages;

    @Option(
            names = "--forks", paramLabel = "N", defaultValue = "11",
            description = "New processes for each measurement (default: ${DEFAULT-VALUE}).")
    private int forks;

    /** The times of SISCI and of the other way, fork by fork, in seconds. @param label what both are, in the plot */
    private record Row(String what, String label, String beside, List<Double> sisci, List<Double> other) {
        Row(String what, String label, String beside) {
            this(what, label, beside, new ArrayList<>(), new ArrayList<>());
        }

        void add(double sisciSeconds, double otherSeconds) {
            sisci.add(sisciSeconds);
            other.add(otherSeconds);
        }

        Statistics.Estimate ratio() {
            return Measurements.ratio(array(sisci), array(other));
        }

        void show(Table table, Plot times) {
            times.add("SISCI library", Product.LIBRARY, label, Measurements.estimate(array(sisci)), 1e6);
            times.add("without the library", Product.FLOOR, label, Measurements.estimate(array(other)), 1e6);
            table.add(what, micros(sisci), micros(other), beside, Table.number(ratio().median()), ratio().interval());
        }

        private static String micros(List<Double> seconds) {
            return Table.number(Statistics.median(array(seconds)) * 1e6);
        }

        private static double[] array(List<Double> values) {
            return values.stream().mapToDouble(Double::doubleValue).toArray();
        }
    }

    @Override
    public Integer call() throws ChildFailure, InterruptedException {
        installation.check();
        Map<Integer, Row> sizes = new LinkedHashMap<>();
        SIZES.forEach(bytes -> sizes.put(bytes, new Row(bytes + " bytes, one way", bytes + " bytes, one way", "the same, no library")));
        Row interrupt = new Row("interrupt, one way", "interrupt; 1 byte over TCP", "TCP, 1 byte");
        Row connected = new Row("segment and interrupt each way, made and removed", "made and removed; connected for it",
                CONNECTED);
        Row byHand = new Row("the same", "made and removed; over a socket", BY_HAND);
        Floor floor = installation.floor();
        Progress progress = new Progress(System.err);
        for (int fork = 1; fork <= forks; fork++) {
            progress.now(String.format("fork %d of %d", fork, forks));
            for (Map.Entry<Integer, Row> size : sizes.entrySet()) {
                size.getValue().add(floor.sisciMemory(size.getKey()), floor.wholeInSharedMemory(size.getKey()));
            }
            interrupt.add(floor.sisciInterrupt(), floor.tcp(1));
            Floor.SetUp setUp = floor.setUp(SEGMENT);
            connected.add(setUp.sisci(), setUp.connected());
            byHand.add(setUp.sisci(), setUp.byHand());
        }
        progress.done(forks + " forks");

        Table table = new Table("", "SISCI us", "us", "beside", "ratio", "interval");
        List<Row> rows = new ArrayList<>(sizes.values());
        rows.addAll(List.of(interrupt, connected, byHand));
        Plot times = new Plot("Time of an operation", "operation", "microseconds", "Further to the left is faster.");
        rows.forEach(row -> row.show(table, times));
        Report report = new Report("sisci", "The SISCI library in C, beside programs without it",
                "Two programs in C write into each other's memory and send each other interrupts by the SISCI library. Beside each"
                        + " operation is one without the library that does the same.", Report.forks(forks));
        report.plot(times);
        report.table(table);
        report.line("(medians of " + forks + " forks and of their paired ratios, with an interval for the true median)");
        report.line("");
        report.goals(List.of(Goal.atMost(3, "making and removing: to " + CONNECTED, connected.ratio().median()),
                Goal.atMost(3, "making and removing: to " + BY_HAND, byHand.ratio().median())));
        pages.publish(report, installation);
        return 0;
    }
}
