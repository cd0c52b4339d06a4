package jfs.benchmarks.measurements;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.processes.Players;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.programs.Workload;
import jfs.benchmarks.statistics.Turns;
import workloads.echo.ConnectClient;
import workloads.echo.Peer;

/**
 * Measures short connections between {@link ConnectClient} and {@link Peer}: connect, a number of calls, close. The figures are the
 * time of a connection, the processor time that both ends spend on it, and the garbage that each end leaves. The sides take turns.
 * Each number of calls has processes of its own, so that none of them runs code that the JVM compiled for another number.
 */
public final class Connections {
    private static final double TURN_SECONDS = 0.5;

    /** What is measured of a connection. */
    public enum Figure {
        /** Seconds from one connect to the next. */
        TIME,
        /** Processor time in seconds, of both processes together. */
        PROCESSOR,
        /** Bytes that the client's process allocates. */
        CLIENT,
        /** Bytes that the server's process allocates. */
        SERVER
    }

    private final Installation installation;
    private final List<Side> sides;
    private final Map<Integer, Map<Figure, Turns<Side>>> measured = new HashMap<>();

    public Connections(Installation installation, List<Side> sides) {
        this.installation = installation;
        this.sides = sides;
    }

    public void run(List<Integer> calls, int forks, int turns, Progress progress) throws ChildFailure, InterruptedException {
        for (int fork = 1; fork <= forks; fork++) {
            String title = String.format("fork %d of %d", fork, forks);
            for (int each : calls) {
                progress.now(title + "  " + each + " calls");
                fork(each, turns, (fork - 1) * turns);
            }
            progress.done(title);
        }
    }

    /** @param before the number of turns in earlier forks, see {@link Turns#order} */
    private void fork(int calls, int turns, int before) throws ChildFailure, InterruptedException {
        Map<Side, Players> playing = new EnumMap<>(Side.class);
        Map<Figure, Map<Side, double[]>> figures = new EnumMap<>(Figure.class);
        for (Figure figure : Figure.values()) {
            figures.put(figure, new EnumMap<>(Side.class));
            sides.forEach(side -> figures.get(figure).put(side, new double[turns]));
        }
        try {
            for (Side side : sides) {
                playing.put(side, start(installation, side, calls, 0, List.of()));
            }
            for (int turn = 0; turn < turns; turn++) {
                for (Side side : Turns.order(sides, before + turn)) {
                    Players.Turn taken = playing.get(side).take(TURN_SECONDS, 1);
                    figures.get(Figure.TIME).get(side)[turn] = taken.round();
                    figures.get(Figure.PROCESSOR).get(side)[turn] = taken.processor();
                    figures.get(Figure.CLIENT).get(side)[turn] = taken.each("client");
                    figures.get(Figure.SERVER).get(side)[turn] = taken.each("server");
                }
            }
            for (Players players : playing.values()) {
                players.finish();
            }
        } finally {
            playing.values().forEach(Players::close);
        }
        Map<Figure, Turns<Side>> all = measured.computeIfAbsent(calls, none -> new EnumMap<>(Figure.class));
        figures.forEach((figure, values) -> all.computeIfAbsent(figure, none -> new Turns<>()).add(values));
    }

    /**
     * Starts both ends of a side.
     *
     * @param rate the most connections a second; 0: no limit
     * @param flags the flags of both JVMs
     */
    static Players start(Installation installation, Side side, int calls, double rate, List<String> flags)
            throws ChildFailure, InterruptedException {
        String loopback = "127.0.0.1";
        return Players.start(side.toString(),
                command(installation, side.server(), List.of(Peer.class.getName(), "serve", loopback, "0"), flags),
                port -> command(installation, side.client(), List.of(ConnectClient.class.getName(), loopback, port,
                        Integer.toString(calls), Double.toString(rate)), flags));
    }

    private static List<String> command(Installation installation, Side.Start start, List<String> program, List<String> flags) {
        List<String> command = new ArrayList<>(installation.java(start, Workload.programs(), program, "fallback"));
        command.addAll(1, flags);
        return command;
    }

    public Turns<Side> of(int calls, Figure figure) {
        return measured.get(calls).get(figure);
    }
}
