package jfs.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import jfs.benchmarks.processes.Players;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.NetworkProgram;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.report.BrowserCheck;
import jfs.benchmarks.report.Pages;
import jfs.benchmarks.report.Report;
import jfs.benchmarks.results.Comparison;
import jfs.benchmarks.results.MxTimes;
import jfs.benchmarks.results.OperationRow;
import jfs.benchmarks.results.ProgramTimes;
import jfs.benchmarks.results.TypedTimes;
import jfs.benchmarks.statistics.Measurements;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import workloads.arrays.ElementType;

/** What is on pages, of short runs with stand-ins, and of stored results that such runs don't have. */
class PageTest extends Runs {
    private static final int FORKS = 7;

    @BeforeEach
    void aBrowserIsThere() {
        assumeTrue(BrowserCheck.hasBrowser(), "no /usr/bin/chromium");
    }

    @Override
    Path reports() {
        return folder.resolve("<a>&");
    }

    @Test
    void thePageOfThePingPongHasItsPlotsAndTheRowsOfTheText() throws Exception {
        assertEquals(0, run("bench", "pingpong", "--forks", "2", "--sizes", "1,64", "--turns", "1"), err::toString);
        pageHas(2);
        String html = Files.readString(page(out.toString()));
        assertTrue(html.contains("Figures: microseconds. Series: JDK sockets, JFS, floor: C."), html);
        assertTrue(html.contains("1 byte: faster than the JDK"), html);
        assertTrue(html.contains("A message of 1 byte takes "), html);
    }

    @Test
    void thePagesOfTheSleepingReceiverAndOfThePlainPeerToo() throws Exception {
        assertEquals(0, run("bench", "asleep", "--forks", "1", "--requests", "40"), err::toString);
        pageHas(1);
        assertEquals(0, run("bench", "plainpeer", "--forks", "1", "--sizes", "1", "--turns", "1"), err::toString);
        pageHas(1);
    }

    @Test
    void eachRunHasAPageOfItsOwnWithEscapedText() throws Exception {
        String[] arguments = {"bench", "asleep", "--forks", "1", "--requests", "20"};
        run(arguments);
        Path first = page(out.toString());
        String before = Files.readString(first);
        run(arguments);
        assertNotEquals(first, page(out.toString()));
        assertEquals(before, Files.readString(first));
        assertTrue(before.contains("&lt;a&gt;&amp;"), before);
        assertFalse(before.contains("<a>&"), before);
    }

    /** A command that publishes a report of stored results. */
    @Command(name = "stored")
    private static final class Stored implements Callable<Integer> {
        @Mixin
        private Installation installation;

        @Mixin
        private Pages pages;

        private final Report report;

        Stored(Report report) {
            this.report = report;
        }

        @Override
        public Integer call() {
            pages.publish(report, installation);
            return 0;
        }
    }

    private void publish(Report report) {
        CommandLine command = new CommandLine(new Stored(report)).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        assertEquals(0, command.execute("--jfs", "j", "--floor", "f", "--report", reports().toString()), err::toString);
    }

    /** The figure of each fork, which differ by up to a third. */
    private static double fork(double figure, int fork) {
        return figure * (1 + fork % 4 / 10.0);
    }

    @Test
    void allWaysOfSendingArraysFitThePlots() throws Exception {
        TypedTimes times = new TypedTimes();
        List<Integer> sizes = List.of(8, 4096, 1 << 20);
        for (int fork = 0; fork < FORKS; fork++) {
            for (int bytes : sizes) {
                Map<TypedTimes.Way, double[]> seconds = new EnumMap<>(TypedTimes.Way.class);
                Map<TypedTimes.Way, double[]> allocated = new EnumMap<>(TypedTimes.Way.class);
                for (TypedTimes.Way way : TypedTimes.Way.values()) {
                    seconds.put(way, new double[] {fork(1e-7 + bytes * 1e-10 * (way.ordinal() + 1), fork)});
                    allocated.put(way, new double[] {0});
                }
                times.times(ElementType.DOUBLE, bytes).add(seconds);
                times.allocated(ElementType.DOUBLE, bytes).add(allocated);
            }
        }
        publish(times.report(List.of(ElementType.DOUBLE), sizes, FORKS, 1));
        assertTrue(out.toString().contains("double[], 1048576 bytes: TypedOutput to byte[]"), out::toString);
        pageHas(3);
    }

    /** The measurement itself needs root and programs that the tests don't have. */
    @Test
    void theWaysBetweenHostsHaveAPlotForEachMeasurement() throws Exception {
        MxTimes times = new MxTimes();
        for (int fork = 0; fork < FORKS; fork++) {
            Map<MxTimes.Way, double[]> all = new EnumMap<>(MxTimes.Way.class);
            for (MxTimes.Way way : MxTimes.Way.values()) {
                all.put(way, new double[] {fork(1e-5 * (1 + way.ordinal()), fork)});
            }
            times.small().add(all);
            times.large().add(all);
            times.asleep().add(all);
            all.keySet().retainAll(List.of(MxTimes.Way.UCX, MxTimes.Way.MX));
            times.streamed().add(all);
            times.logged(List.of("jfs: switched 1 over mx"));
        }
        publish(times.report(FORKS, 1));
        String text = out.toString();
        assertTrue(text.lines().anyMatch(line -> line.matches(" *MX over UCX, in C +44.0 +1.33 .* 1.33 \\(1.33..1.33\\)")), text);
        assertTrue(text.contains("8 bytes: Java's sockets to MX"), text);
        assertTrue(text.contains("The connection went over MX in 7 of 7 runs under JFS."), text);
        pageHas(4);
    }

    private static List<Players.Turn> turn(double micros) {
        return List.of(new Players.Turn(Map.of("rounds", 100.0, "nanos", micros * 1e5), micros * 1e-4, micros * 2e-4));
    }

    /** As many labels as a measurement of all programs has. */
    @Test
    void allProgramsStandOneBelowTheOther() throws Exception {
        ProgramTimes times = new ProgramTimes();
        List<NetworkProgram> programs = Stream.concat(NetworkProgram.ALL.stream(), NetworkProgram.NIO.stream()).toList();
        for (int fork = 0; fork < FORKS; fork++) {
            for (NetworkProgram program : programs) {
                times.add(program, ProgramTimes.State.COLD, turn(30), turn(fork(25, fork)));
                times.add(program, ProgramTimes.State.WARM, turn(90), turn(fork(program.hasCeiling() ? 2 : 20, fork)));
                if (program.hasCeiling()) {
                    times.addCeiling(program, Map.of(Side.JDK, turn(90), program.side(), turn(2), Side.PIPES, turn(1)));
                }
            }
        }
        Report report = new Report("programs", "Programs", "All programs.", Report.forks(FORKS));
        times.plots().forEach(report::plot);
        report.table(times.table(ProgramTimes.State.WARM));
        publish(report);
        pageHas(2);
    }

    @Test
    void operationsOfSeveralProgramsAndSizesUpToMegabytesHaveTheirPlots() throws Exception {
        List<OperationRow> rows = new ArrayList<>();
        for (String program : List.of("H2", "Derby", "HSQLDB")) {
            Measurements measured = new Measurements();
            for (int fork = 0; fork < FORKS; fork++) {
                for (Side side : OperationRow.SIDES) {
                    measured.add(side, "row", fork(side == Side.JDK ? 60_000 : 20_000, fork * (1 + side.ordinal())));
                }
                measured.forkDone();
            }
            rows.add(OperationRow.of(program, "row by key", measured, "row"));
        }
        Report report = new Report("demo", "Messages", "Messages of many sizes.", "7 rounds");
        report.plot(OperationRow.plot(rows));
        rows.stream().map(OperationRow::finding).forEach(report::finding);
        Comparison comparison = new Comparison(IntStream.range(0, FORKS).mapToObj(PageTest::round).toList());
        comparison.plots().forEach(report::plot);
        report.table(comparison.table());
        comparison.finding(1 << 20, "A message of 1 MB").ifPresent(report::finding);
        publish(report);
        pageHas(4);
        String html = Files.readString(page(out.toString()));
        assertTrue(html.contains("JFS is slower: it takes 1.90 (1.90..1.90) times as long."), html);
        assertTrue(html.contains("H2, row by key: 24.0 µs over JFS, 66.0 µs over the JDK"), html);
    }

    private static Comparison.Round round(int fork) {
        Map<Integer, Double> jdk = new TreeMap<>();
        Map<Integer, Double> jfs = new TreeMap<>();
        for (int bytes = 1; bytes <= 1 << 22; bytes *= 2) {
            jdk.put(bytes, fork(7e-6 + bytes * 1.25e-10, fork));
            jfs.put(bytes, fork(1e-7 + bytes * 2.5e-10, fork));
        }
        return new Comparison.Round(jdk, jfs, Map.of(1, fork(5e-8, fork), 1 << 20, fork(2e-5, fork)));
    }
}
