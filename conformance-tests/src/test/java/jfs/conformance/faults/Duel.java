package jfs.conformance.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jfs.conformance.faults.Cell.End;
import jfs.conformance.harness.EndKind;
import jfs.conformance.harness.faults.Ending;
import jfs.conformance.harness.faults.Fault;
import jfs.conformance.harness.faults.Hook;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Commands;
import jfs.steps.Step;
import jfs.testing.Await;

/** Two processes that talk to each other again and again. A process that dies is replaced, and the other one goes on. */
final class Duel implements AutoCloseable {

    /** Generous: the measured times are far below. */
    private static final long TALK_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);
    /** Generous too. A live peer whose channel has failed may be waited for as long as 10 s (END-5). */
    private static final long FAILED_CHANNEL_NANOS_MAX = TimeUnit.SECONDS.toNanos(20);
    /** Whether a thread goes to sleep in a pause depends on the machine, so the step is tried several times. */
    private static final int TRIES = 5;
    /** The processes may remember for so long that an offer was in vain (NEG-4). */
    private static final long IN_VAIN_NANOS_MAX = TimeUnit.SECONDS.toNanos(15);

    static final String HOOKED = "-Dorg.javafastsockets.steps=" + Hook.class.getName();

    private final Way way;
    private final Child.Start start;
    private final List<Ends> kinds;
    private final Random random;
    private final Map<End, Child> ends = new EnumMap<>(End.class);
    /** What a child holds when it has talked once and is idle. */
    private final Map<Child, String> idle = new HashMap<>();
    private final Map<Listener, Long> ports = new HashMap<>();
    /** This child starts while others talk. */
    private Child spare;

    /** A process's listener for ends of one kind. */
    private record Listener(Child child, EndKind kind) {
    }

    /**
     * @param kinds what the ends of the conversations are
     * @param how the processes are started, without the options that are added here
     */
    Duel(Way way, List<Ends> kinds, Child.Start how, Random random) throws IOException {
        this.way = way;
        this.kinds = kinds;
        this.random = random;
        this.start = how.with("-Djfs.buffer.size=65536").with(HOOKED);
        for (End end : End.values()) {
            ends.put(end, start.start());
        }
        spare = start.start();
    }

    Child at(End end) {
        return ends.get(end);
    }

    /** The two ends' results of one conversation. */
    private record Talks(Map<End, Child.Order> orders) {

        Ending of(End end, long nanosMax) {
            return Ending.of(orders.get(end).resultWithin(nanosMax));
        }
    }

    private Talks begin(Ends kind, End endsFirst) {
        Child server = at(End.SERVER);
        long port = ports.computeIfAbsent(new Listener(server, kind.server()), Duel::listen);
        long seed = random.nextLong();
        Map<End, Child.Order> orders = new EnumMap<>(End.class);
        for (End end : new End[] {End.SERVER, End.CLIENT}) {
            orders.put(end, at(end).begin("talk " + (end == End.CLIENT) + " 127.0.0.1 " + port + " " + seed + " "
                    + (end == endsFirst) + " " + kind.at(end)));
        }
        return new Talks(orders);
    }

    private static long listen(Listener it) {
        it.child.begin("kind " + it.kind).isDone();
        return it.child.ask("listen 127.0.0.1 0");
    }

    /** A conversation without faults. It must succeed, on the fast path. */
    void talk() {
        talk(kinds.get(random.nextInt(kinds.size())), End.values()[random.nextInt(2)]);
    }

    private void talk(Ends kind, End endsFirst) {
        long before = switched();
        Talks talks = begin(kind, endsFirst);
        assertWhole(talks);
        assertEquals(before + 4, switched(), () -> "directions switched, at both ends; otherwise: "
                + at(End.CLIENT).fallbacks() + at(End.SERVER).fallbacks());
    }

    /** How often each end reaches each step in one conversation. */
    Map<End, Map<Step, Integer>> steps(Ends kind, End endsFirst) throws Exception {
        Map<End, int[]> before = new EnumMap<>(End.class);
        for (End end : End.values()) {
            prepare(end); // by conversations, which both ends count
        }
        for (End end : End.values()) {
            before.put(end, reached(end));
        }
        talk(kind, endsFirst);
        Map<End, Map<Step, Integer>> steps = new EnumMap<>(End.class);
        for (End end : End.values()) {
            assertIdle(end); // so it has reached its last step
            int[] now = reached(end);
            steps.put(end, new EnumMap<>(Step.class));
            for (Step step : Step.values()) {
                steps.get(end).put(step, now[step.ordinal()] - before.get(end)[step.ordinal()]);
            }
        }
        return steps;
    }

    private int[] reached(End end) {
        return Stream.of(at(end).tell("steps").replaceAll("[\\[\\]]", "").split(", ")).mapToInt(Integer::parseInt)
                .toArray();
    }

    private long switched() {
        return at(End.CLIENT).ask("switched") + at(End.SERVER).ask("switched");
    }

    private static void assertWhole(Talks talks) {
        Ending client = talks.of(End.CLIENT, TALK_NANOS_MAX);
        Ending server = talks.of(End.SERVER, TALK_NANOS_MAX);
        assertTrue(client.isWhole() && server.isWhole() && client.received() == server.sent()
                && server.received() == client.sent(), "client: " + client + "; server: " + server);
    }

    /** Makes the process at this end idle after a conversation, and records what it holds then. That is compared after a fault. */
    void prepare(End end) throws Exception {
        if (!idle.containsKey(at(end))) {
            for (EndKind each : Ends.kinds(kinds)) { // each makes some things once
                talk(new Ends(each, each), End.values()[random.nextInt(2)]);
            }
            String[] held = {"", ""};
            Await.until(() -> "idle: " + held[1], () -> { // when nothing changes any more the process holds nothing of the conversation
                held[0] = held[1];
                held[1] = held(end);
                return held[0].equals(held[1]) && held[1].contains(" 0 mappings")
                        && held[1].endsWith(" 0 messages, 0 channels");
            });
            idle.put(at(end), held[1]);
        }
    }

    /** Talks until the fault happens. Asserts that it has only consequences that are allowed. */
    Report.Outcome run(Cell cell) throws Exception {
        End survivor = cell.victim().other();
        prepare(survivor);
        if (!cell.fault().isDeadly()) {
            prepare(cell.victim());
        }
        int time = cell.time();
        long start = System.nanoTime();
        for (int i = 0; i < TRIES;) {
            long switched = switched();
            Child victim = at(cell.victim());
            Child.Order trap = victim.begin("arm " + cell.step() + " " + time + " " + cell.fault() + " "
                    + cell.nanos());
            victim.begin("armed " + trap.number()).isDone();
            Talks talks = begin(cell.ends(), cell.endsFirst());
            if (cell.mayComeAfterwards() || trap.isAnsweredBefore(talks.orders().get(cell.victim()))) {
                return finish(cell, talks, Long.parseLong(trap.result()));
            }
            assertWhole(talks);
            if (comesLate(victim, trap)) {
                long sent = Long.parseLong(trap.result());
                if (cell.fault().isDeadly()) {
                    return finish(cell, talks, sent);
                }
                victim.begin("release").isDone();
            }
            if (switched() == switched && System.nanoTime() - start < IN_VAIN_NANOS_MAX) {
                continue;
            }
            i++;
            time = (time + 1) / 2; // how often the ring fills or a thread goes to sleep is different each time
        }
        throw new AssertionError("never reached: " + cell);
    }

    /**
     * Whether the step came only after the conversation. If it did not come, it won't any more. The process may have died,
     * so that it can't answer.
     */
    private static boolean comesLate(Child victim, Child.Order trap) {
        Child.Order disarm = victim.begin("disarm");
        return trap.isAnsweredBefore(disarm) || disarm.result().equals("true");
    }

    private Report.Outcome finish(Cell cell, Talks talks, long sentBefore) throws Exception {
        End survivor = cell.victim().other();
        Child victim = at(cell.victim());
        if (cell.fault() == Fault.KILL) {
            victim.kill();
        } else if (cell.fault() == Fault.STOP) {
            Commands.stop(victim);
            TimeUnit.MILLISECONDS.sleep(cell.stopMillis()); // this is the fault itself
            Commands.goOn(victim);
            victim.begin("release").isDone();
        }
        if (cell.fault().isDeadly()) {
            victim.awaitEnd();
        }
        long over = System.nanoTime();
        long nanosMax = cell.fault().isDeadly() ? way.nanosAfterDeathMax()
                : cell.mayBeTheChannels() ? FAILED_CHANNEL_NANOS_MAX : TALK_NANOS_MAX;
        Ending survivors = talks.of(survivor, nanosMax);
        long nanos = System.nanoTime() - over;
        if (cell.fault().isDeadly()) {
            replace(cell.victim());
            if (way.isKeptBetweenProcesses()) {
                prepare(cell.victim());
            }
        } else {
            Ending victims = talks.of(cell.victim(), nanosMax);
            if (cell.isSurvivedByBoth() || cell.mayBeJfsThreads() && victims.own().equals("none")) {
                assertWhole(talks);
            } else if (!cell.mayBeTheChannels() || !victims.own().equals("none")) {
                assertTrue(victims.own().startsWith("java.lang.OutOfMemoryError: by the test"), victims.toString());
            } else if (!victims.isWhole()) {
                Oracle.of(cell.ends().at(cell.victim())).assertHolds(victims);
            }
            assertIdle(cell.victim());
        }
        if (!survivors.isWhole()) {
            Oracle oracle = Oracle.of(cell.ends().at(survivor));
            oracle.assertHolds(survivors);
            boolean reading = survivors.phase().equals("bulk") && survivors.write().equals("none");
            if (cell.fault() == Fault.EXIT && reading) { // what an exiting process has written arrives, and then the end (END-5)
                assertEquals("end", survivors.read());
            }
            // Over messages bytes that have not left the dead process are lost with it.
            if (survivors.read().equals("end") || way == Way.SCI && oracle.sparesBytesBeforeAReset()) {
                assertTrue(survivors.received() >= sentBefore, "only " + survivors.received() + " of " + sentBefore
                        + " bytes before the end: " + survivors);
            }
        }
        if (cell.mayBeTheChannels()) { // the peer may wait for an answer until the channel has been silent for a minute (END-5)
            assertHeld(survivor, ", [0-9]+ channels");
            replace(survivor);
        } else {
            assertIdle(survivor);
        }
        return new Report.Outcome(survivors, nanos);
    }

    /** Asserts that the process holds what it held when it was idle before. */
    void assertIdle(End end) throws Exception {
        assertHeld(end, "");
    }

    private void assertHeld(End end, String butFor) throws Exception {
        String before = idle.get(at(end)).replaceAll(butFor, "");
        String[] now = {null};
        Await.until(() -> end + " holds " + before + " again, but " + now[0], () -> {
            now[0] = held(end).replaceAll(butFor, "");
            return now[0].equals(before);
        });
    }

    private String held(End end) {
        return at(end).tell("held " + (way == Way.MX));
    }

    void replace(End end) throws IOException {
        Child old = ends.put(end, spare);
        idle.remove(old);
        ports.keySet().removeIf(it -> it.child == old);
        old.close();
        spare = start.start();
    }

    @Override
    public void close() {
        ends.values().forEach(Child::close);
        spare.close();
    }
}
