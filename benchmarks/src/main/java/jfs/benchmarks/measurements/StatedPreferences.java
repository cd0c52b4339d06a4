package jfs.benchmarks.measurements;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.processes.Players;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.programs.SwitchLog;
import jfs.benchmarks.programs.Workload;
import jfs.benchmarks.results.PreferenceTimes;
import jfs.benchmarks.results.PreferenceTimes.Figure;
import jfs.benchmarks.results.PreferenceTimes.Part;
import jfs.benchmarks.results.PreferenceTimes.Way;
import jfs.benchmarks.statistics.Turns;
import workloads.preferences.PreferencePeer;
import workloads.preferences.Work;

/** Measures connections whose programs state preferences. Each way has a pair of JVMs for all works of a part, and takes turns. */
public final class StatedPreferences {
    private static final String LOOPBACK = "127.0.0.1";

    private final Installation installation;
    private final PreferenceTimes times = new PreferenceTimes();

    public StatedPreferences(Installation installation) {
        this.installation = installation;
    }

    public PreferenceTimes times() {
        return times;
    }

    /**
     * Runs a fork of that part.
     *
     * @param seconds of a turn, for each work
     */
    public void fork(Part part, int turns, double seconds) throws ChildFailure, InterruptedException {
        Map<Way, Players> playing = new EnumMap<>(Way.class);
        try {
            for (Way way : part.ways()) {
                playing.put(way, start(way, part));
            }
            int before = times.of(part.works().get(0), Figure.WHOLE).forks() * turns;
            Map<Figure, Map<Work, Map<Way, double[]>>> measured = new EnumMap<>(Figure.class);
            for (int turn = 0; turn < turns; turn++) {
                for (Way way : Turns.order(part.ways(), before + turn)) {
                    Players.Turn taken = playing.get(way).take(part.works().size() * seconds, 1);
                    for (Figure figure : Figure.values()) {
                        for (Work work : part.works()) {
                            measured.computeIfAbsent(figure, none -> new HashMap<>()).computeIfAbsent(work, none -> new HashMap<>())
                                    .computeIfAbsent(way, none -> new double[turns])[turn] = taken.seconds(figure.key(work));
                        }
                    }
                }
            }
            measured.forEach((figure, works) -> works.forEach((work, ways) -> times.of(work, figure).add(ways)));
            for (Map.Entry<Way, Players> each : playing.entrySet()) {
                List<String> output = each.getValue().finish();
                if (each.getKey().side().fast()) {
                    times.switched(SwitchLog.connections(output, each.getValue().port()), part.works().size());
                }
            }
        } finally {
            playing.values().forEach(Players::close);
        }
    }

    private Players start(Way way, Part part) throws ChildFailure, InterruptedException {
        String works = part.works().stream().map(Work::name).collect(Collectors.joining(","));
        return Players.start(way.title(), java(way, way.side().server(), List.of("serve", LOOPBACK, "0", way.stated().name())),
                port -> java(way, way.side().client(), List.of("play", LOOPBACK, port, way.stated().name(), works)));
    }

    private List<String> java(Way way, Side.Start start, List<String> arguments) {
        List<String> program = new ArrayList<>(List.of(PreferencePeer.class.getName()));
        program.addAll(arguments);
        List<String> command = new ArrayList<>(installation.java(start, Workload.programs(), program, "all"));
        command.addAll(1, way.settings());
        return command;
    }
}
