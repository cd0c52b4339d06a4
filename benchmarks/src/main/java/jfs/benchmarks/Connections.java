package jfs.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Connect, so many calls, close, again and again, both ends {@link Peer}: what a connection takes, and the processor time that both
 * ends spend on it. The sides take turns. Each number of calls has processes of its own, so that none finds
 * code that the compilers have made for another.
 */
final class Connections {
    private static final double TURN_SECONDS = 0.5;
    private static final List<Side> SIDES = List.of(Side.JDK, Side.JFS);

    private final Installation installation;
    private final Map<Integer, Turns<Side>> times = new HashMap<>();
    private final Map<Integer, Turns<Side>> processors = new HashMap<>();

    Connections(Installation installation) {
        this.installation = installation;
    }

    void run(List<Integer> calls, int forks, int turns, Progress progress) throws ChildFailure, InterruptedException {
        for (int fork = 1; fork <= forks; fork++) {
            String title = String.format("fork %d of %d", fork, forks);
            for (int each : calls) {
                progress.now(title + "  " + each + " calls");
                fork(each, turns);
            }
            progress.done(title);
        }
    }

    /** Every other turn begins with the other side. */
    private void fork(int calls, int turns) throws ChildFailure, InterruptedException {
        Map<Side, Players> playing = new EnumMap<>(Side.class);
        Map<Side, double[]> time = new EnumMap<>(Side.class);
        Map<Side, double[]> processor = new EnumMap<>(Side.class);
        try {
            for (Side side : SIDES) {
                playing.put(side, start(side, calls));
                time.put(side, new double[turns]);
                processor.put(side, new double[turns]);
            }
            List<Side> order = new ArrayList<>(SIDES);
            for (int turn = 0; turn < turns; turn++) {
                for (Side side : order) {
                    Players.Turn measured = playing.get(side).take(TURN_SECONDS, 1);
                    time.get(side)[turn] = measured.round();
                    processor.get(side)[turn] = measured.processor();
                }
                Collections.reverse(order);
            }
            for (Players players : playing.values()) {
                players.finish();
            }
        } finally {
            playing.values().forEach(Players::close);
        }
        times.computeIfAbsent(calls, none -> new Turns<>()).add(time);
        processors.computeIfAbsent(calls, none -> new Turns<>()).add(processor);
    }

    private Players start(Side side, int calls) throws ChildFailure, InterruptedException {
        String loopback = "127.0.0.1";
        String log = "fallback";
        List<String> server = List.of(Peer.class.getName(), "serve", loopback, "0");
        return Players.start(side.toString(), installation.java(side.server(), Workload.programs(), server, log),
                port -> installation.java(side.client(), Workload.programs(),
                        List.of(Peer.class.getName(), "connect", loopback, port, Integer.toString(calls)), log));
    }

    /** Seconds from one connect to the next. */
    Turns<Side> times(int calls) {
        return times.get(calls);
    }

    /** Seconds of both processes together for a connection. */
    Turns<Side> processors(int calls) {
        return processors.get(calls);
    }
}
