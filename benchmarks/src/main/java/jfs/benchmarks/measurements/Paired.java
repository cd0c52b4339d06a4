package jfs.benchmarks.measurements;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.processes.Child;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.processes.Players;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.programs.SwitchLog;
import jfs.benchmarks.programs.Workload;
import jfs.benchmarks.statistics.Measurements;
import jfs.benchmarks.statistics.Turns;
import workloads.echo.Peer;

/** Runs a program in fresh JVMs for each side and fork, the sides alternating. */
public final class Paired {
    private static final Duration START_LIMIT = Duration.ofSeconds(20);
    private static final Duration RUN_LIMIT = Duration.ofSeconds(120);
    private static final Pattern RESULT = Pattern.compile("^result (\\S+) (\\S+)$");

    private final Installation installation;
    private final Workload workload;
    private final List<Side> sides;
    private final String log;
    private final Measurements measurements = new Measurements();
    private final Map<Side, Integer> switchedForks = new EnumMap<>(Side.class);

    /** @param log what JFS reports, see {@link Installation#java} */
    public Paired(Installation installation, Workload workload, List<Side> sides, String log) {
        this.installation = installation;
        this.workload = workload;
        this.sides = sides;
        this.log = log;
    }

    /** Makes a measurement of one mode of {@link Peer}. @param does the mode @param times how often the client does it */
    public static Paired peers(Installation installation, List<Side> sides, String does, int times, String log) {
        String loopback = "127.0.0.1";
        List<String> client = List.of(Peer.class.getName(), does, loopback, Workload.PORT, Integer.toString(times));
        List<String> server = List.of(Peer.class.getName(), "serve", loopback, Workload.PORT);
        return new Paired(installation, new Workload("peer", server, client), sides, log);
    }

    public void run(int forks, Progress progress) throws ChildFailure, InterruptedException {
        for (int fork = 1; fork <= forks; fork++) {
            String title = String.format("fork %d of %d", fork, forks);
            fork(progress, title);
            progress.done(title);
        }
    }

    /** Runs each side once. The order of the sides changes from fork to fork. */
    public void fork(Progress progress, String title) throws ChildFailure, InterruptedException {
        for (Side side : Turns.order(sides, measurements.forks())) {
            progress.now(title + "  " + side);
            if (side == Side.PIPES) {
                inProcess();
            } else {
                twoProcesses(side);
            }
        }
        measurements.forkDone();
    }

    private void twoProcesses(Side side) throws ChildFailure, InterruptedException {
        String server = "the " + workload.name() + " server over " + side;
        String client = "the " + workload.name() + " client over " + side;
        try (Child serving = Child.start(server, workload.server(installation, side, log), line -> {})) {
            String port = serving.awaitLine(Players.PORT, START_LIMIT).group(1);
            try (Child running = Child.start(client, workload.client(installation, side, port, log), line -> {})) {
                List<String> output;
                try {
                    output = running.awaitSuccess(RUN_LIMIT);
                } catch (ChildFailure failure) {
                    throw new ChildFailure(failure.getMessage() + serving.tail());
                }
                record(side, output);
                boolean switched = SwitchLog.of(output, Integer.parseInt(port)).switched();
                switchedForks.merge(side, switched ? 1 : 0, Integer::sum);
            }
        }
    }

    private void inProcess() throws ChildFailure, InterruptedException {
        String name = workload.name() + " over in-process pipes";
        try (Child running = Child.start(name, workload.inProcess(installation), line -> {})) {
            record(Side.PIPES, running.awaitSuccess(RUN_LIMIT));
        }
    }

    private void record(Side side, List<String> output) {
        for (String line : output) {
            Matcher result = RESULT.matcher(line);
            if (result.matches()) {
                measurements.add(side, result.group(1), Double.parseDouble(result.group(2)));
            }
        }
    }

    public Workload workload() {
        return workload;
    }

    /** The results as the program has printed them: times are nanoseconds. */
    public Measurements measurements() {
        return measurements;
    }

    /** Tells in how many forks the connection was switched to a fast path: a line for each side that should have one. */
    public String switching() {
        StringBuilder text = new StringBuilder();
        for (Side side : sides) {
            if (side.fast()) {
                text.append(PingPong.switching(side, switchedForks.getOrDefault(side, 0), measurements.forks()));
            }
        }
        return text.toString();
    }
}
