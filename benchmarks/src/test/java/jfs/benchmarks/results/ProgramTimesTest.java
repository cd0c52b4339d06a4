package jfs.benchmarks.results;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.processes.Players;
import jfs.benchmarks.programs.NetworkProgram;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.statistics.Goal;
import jfs.benchmarks.statistics.Statistics;
import org.junit.jupiter.api.Test;

class ProgramTimesTest {
    private static final NetworkProgram LINES = NetworkProgram.ALL.get(0);
    private static final NetworkProgram BLOCKS = NetworkProgram.ALL.get(2);

    private final ProgramTimes times = new ProgramTimes();

    /** Turns of 100 operations. Each operation takes {@code micros} microseconds, and as much processor time. */
    private static List<Players.Turn> turns(double... micros) {
        return DoubleStream.of(micros)
                .mapToObj(each -> new Players.Turn(Map.of("rounds", 100.0, "nanos", each * 1e5), 0.75 * each * 1e-4, 0.25 * each * 1e-4))
                .toList();
    }

    private static String cells(Table table, int row) {
        return table.toString().lines().skip(row).findFirst().orElseThrow().strip().replaceAll(" +", " ");
    }

    @Test
    void turnsAreComparedInThemselves() throws Exception {
        times.add(LINES, ProgramTimes.State.WARM, turns(10, 40, 20), turns(5, 10, 20));
        assertEquals(
                "sockets line, answered 20.0 10.0 2.00 1.00..4.00 20.0 10.0 0.500 0.250..1.00",
                cells(times.table(ProgramTimes.State.WARM), 1));
        assertFalse(times.has(ProgramTimes.State.COLD));
    }

    @Test
    void coldForksHaveOneTurnEach() throws Exception {
        for (double jfs : new double[] {10, 20, 40}) {
            times.add(LINES, ProgramTimes.State.COLD, turns(20), turns(jfs));
        }
        Statistics.Estimate rate = times.rate(LINES, ProgramTimes.State.COLD);
        assertEquals(List.of(1.0, 0.5, 2.0), List.of(rate.median(), rate.low(), rate.high()));
    }

    @Test
    void goalsByStateAndKind() throws Exception {
        times.add(LINES, ProgramTimes.State.COLD, turns(94), turns(100));
        times.add(LINES, ProgramTimes.State.WARM, turns(100), turns(109));
        times.add(BLOCKS, ProgramTimes.State.COLD, turns(96), turns(100));
        times.add(BLOCKS, ProgramTimes.State.WARM, turns(100), turns(111));
        assertEquals(
                List.of(false, true, false, false, false, true), times.goals().stream().map(Goal::met).toList(),
                "warm rate 0.92, warm CPU 1.09, cold rate 0.94; 0.90, 1.11, 0.96");
    }

    private static final NetworkProgram REQUESTS = NetworkProgram.NIO.stream().filter(NetworkProgram::hasCeiling).findFirst().orElseThrow();

    private static Map<Side, List<Players.Turn>> sides(List<Players.Turn> jdk, List<Players.Turn> jfs, List<Players.Turn> pipes) {
        return Map.of(Side.JDK, jdk, REQUESTS.side(), jfs, Side.PIPES, pipes);
    }

    @Test
    void pipesShowTheCeiling() throws Exception {
        times.add(REQUESTS, ProgramTimes.State.WARM, turns(90, 100, 110), turns(60, 80, 88));
        assertTrue(times.ceilings().isEmpty());
        times.addCeiling(REQUESTS, sides(turns(90, 100, 110), turns(60, 80, 88), turns(45, 40, 44)));
        assertEquals(
                REQUESTS.program() + " " + REQUESTS.title() + " 100 80.0 44.0 2.50 2.00..2.50 50 50..75",
                cells(times.ceilings().orElseThrow(), 1));
        assertTrue(times.csv().lines().skip(1).allMatch(line -> line.endsWith(",44.000")), times::csv);
    }

    /** 1.5 x, or 80 % of the ceiling, which is 1.67 x. */
    @Test
    void aProgramWithACeilingHasAGoalOfItsOwn() throws Exception {
        for (double[] timeAndMet : new double[][] {{76, 0}, {74, 1}}) {
            ProgramTimes of = new ProgramTimes();
            of.add(REQUESTS, ProgramTimes.State.WARM, turns(100), turns(timeAndMet[0]));
            assertEquals(2, of.goals().size());
            of.addCeiling(REQUESTS, sides(turns(100), turns(timeAndMet[0]), turns(60)));
            assertEquals(List.of(true, true, timeAndMet[1] == 1), of.goals().stream().map(Goal::met).toList());
        }
    }

    @Test
    void theFileHasALineForEachOperationAndState() throws Exception {
        times.add(LINES, ProgramTimes.State.COLD, turns(50), turns(100));
        times.add(LINES, ProgramTimes.State.WARM, turns(20), turns(10));
        List<String> lines = times.csv().lines().toList();
        assertEquals(3, lines.size());
        assertTrue(lines.get(1).startsWith("sockets,\"line, answered\",cold,50.000,100.000,0.500,"), lines::toString);
        assertTrue(lines.get(0).endsWith(",pipes_us") && lines.get(1).endsWith(","), lines::toString);
        assertTrue(lines.get(2).startsWith("sockets,\"line, answered\",warm,20.000,10.000,2.000,"), lines::toString);
    }

    @Test
    void aFewWordsTellBothStates() throws Exception {
        times.add(LINES, ProgramTimes.State.WARM, turns(20), turns(10));
        times.add(LINES, ProgramTimes.State.COLD, turns(50), turns(100));
        assertEquals("cold 0.500 x, CPU 2.00 x; warm 2.00 x, CPU 0.500 x", times.brief(LINES));
    }

    /** Three quarters of the processor time are the client's. */
    @Test
    void eachEndHasItsProcessorTime() throws Exception {
        times.add(LINES, ProgramTimes.State.WARM, turns(20, 20, 40), turns(10, 10, 10));
        assertEquals("sockets line, answered 15.0 7.50 0.500 5.00 2.50 0.500 -", cells(times.ends(ProgramTimes.State.WARM), 1));
        times.connections(LINES, "64 connections: 64 fast, 0 over TCP", 64);
        assertEquals("sockets line, answered 15.0 7.50 0.500 5.00 2.50 0.500 64", cells(times.ends(ProgramTimes.State.WARM), 1));
        times.connections(LINES, "64 connections: 3 fast, 61 over TCP (NO_PEER 61)", 3);
        assertEquals("sockets line, answered 15.0 7.50 0.500 5.00 2.50 0.500 3..64", cells(times.ends(ProgramTimes.State.WARM), 1));
    }

    @Test
    void whatJfsSaysOfConnectionsIsKept() throws Exception {
        times.add(LINES, ProgramTimes.State.COLD, turns(50), turns(100));
        times.connections(LINES, "1 connections: 1 fast, 0 over TCP", 1);
        times.connections(LINES, "1 connections: 0 fast, 1 over TCP (NO_PEER 1)", 0);
        assertEquals(
                "sockets: line, answered: 1 connections: 1 fast, 0 over TCP; 1 connections: 0 fast, 1 over TCP (NO_PEER 1)",
                times.switching());
    }
}
