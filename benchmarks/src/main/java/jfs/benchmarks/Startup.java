package jfs.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Times whole JVMs, from start to end. */
final class Startup {
    private static final Map<String, List<String>> COMMANDS = Map.of(
            "no sockets", List.of("workloads.startup.Hello"),
            "one connection", List.of("workloads.startup.OneConnection"));
    private static final List<Side> SIDES = List.of(Side.JDK, Side.AGENT, Side.JFS);
    private static final Duration LIMIT = Duration.ofSeconds(20);

    static final List<String> PROGRAMS = COMMANDS.keySet().stream().sorted().toList();

    private final Installation installation;
    private final Measurements millis = new Measurements();

    Startup(Installation installation) {
        this.installation = installation;
    }

    void run(int forks, Progress progress) throws ChildFailure, InterruptedException {
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
        long from = System.nanoTime();
        try (Child child = Child.start(program + " over " + side, command, line -> {})) {
            child.awaitSuccess(LIMIT);
            return (System.nanoTime() - from) * 1e-6;
        }
    }

    Measurements millis() {
        return millis;
    }
}
