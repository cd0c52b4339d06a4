package jfs.conformance.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jfs.conformance.faults.Cell.End;
import jfs.conformance.harness.EndKind;
import jfs.conformance.harness.faults.Fault;
import jfs.conformance.harness.processes.Child;
import jfs.steps.Step;
import jfs.testing.Effort;
import jfs.testing.Jdks;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A fault happens to one of two processes at a step of their connection's life. The other process sees what it would see
 * over TCP, holds nothing afterwards, and talks on with the next peer.
 */
@Tag("processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DeathAtEveryStep {

    /** {@code -Dfaults.seed=}: the seed of the streams, the delays and the times. */
    private static final long SEED = Long.getLong("faults.seed", System.nanoTime());
    private static final Random RANDOM = new Random(SEED);
    /** {@code -Dfaults.cells=}: a regular expression. Only the cells that match it are tested. */
    private static final String CELLS = System.getProperty("faults.cells", ".*");
    private static final long DELAY_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(5);
    /** After this time every peer has gone to sleep. */
    private static final int STOP_MILLIS = 50;
    /** Longer than the wait for a visited segment. */
    private static final int LONG_STOP_MILLIS = 700;
    /** Longer than the wait for an answer. */
    private static final int LONGEST_STOP_MILLIS = 6_000;

    @TempDir
    static Path temporary;

    private static final List<Fault> REST = List.of(Fault.STOP, Fault.EXIT, Fault.DELAY, Fault.HALT);
    private static final List<Fault> ALL_BUT_KILL = List.of(Fault.STOP, Fault.EXIT, Fault.OUT_OF_MEMORY, Fault.HALT,
            Fault.DELAY);
    /** During the transfer the state differs each time that one of these steps is reached. */
    private static final Set<Step> OFTEN = Set.of(Step.MESSAGE_RECEIVED, Step.DATA_SENT, Step.CREDIT_TOLD);
    /**
     * Steps at which one of the stops is the longest. The peer waits there for the segment, for the answer, for bytes, and
     * for room.
     */
    private static final Set<Step> STOPPED_LONGEST = Set.of(Step.OFFER_SENT, Step.TUPLE_FOUND, Step.READY_PUBLISHED,
            Step.WRITER_ASLEEP);

    private final Way way;
    private final List<Ends> kinds;
    private final String name;
    private final Report report = new Report();
    /** How often each step is reached, by conversation, then by the end that reaches the step. */
    private final Map<Conversation, Map<End, Map<Step, Integer>>> counts = new HashMap<>();
    private Duel duel;

    /** @param endsFirst the end that ends its stream first */
    record Conversation(Ends kind, End endsFirst) {
    }

    /**
     * @param kinds what the ends are
     * @param name of the report
     */
    DeathAtEveryStep(Way way, List<Ends> kinds, String name) {
        this.way = way;
        this.kinds = kinds;
        this.name = name;
    }

    private boolean haveChannels() {
        return kinds != Ends.SOCKETS;
    }

    @BeforeAll
    void begin() throws Exception {
        way.assume();
        Child.Start start = way.start().with("-Djava.io.tmpdir=" + temporary);
        duel = new Duel(way, kinds, haveChannels() ? start.with("-Djfs.nio=on") : start, RANDOM);
    }

    @AfterAll
    void end() throws Exception {
        if (duel == null) {
            return;
        }
        try (Duel it = duel) {
            it.talk();
        }
        report.write(name);
        try (Stream<Path> files = Files.list(temporary); Stream<Path> shared = Files.list(Path.of("/dev/shm"))) {
            assertEquals(Set.of(), files.collect(Collectors.toSet()));
            assertEquals(Set.of(), shared.filter(file -> file.getFileName().toString().matches("(jfs|sisci).*"))
                    .collect(Collectors.toSet()));
        }
    }

    Stream<Conversation> conversations() {
        return kinds.stream().filter(kind -> kinds.size() == 1 || kind.areAlike())
                .flatMap(kind -> Stream.of(End.values()).map(endsFirst -> new Conversation(kind, endsFirst)));
    }

    @ParameterizedTest
    @MethodSource("conversations")
    void aConversationComesByEveryStep(Conversation it) throws Exception {
        Map<End, Map<Step, Integer>> steps = duel.steps(it.kind, it.endsFirst);
        // If a writer gets too little time to get ahead of its reader, no thread has to sleep. So the conversation is
        // repeated.
        for (int again = 0; again < 10 && !Stream.of(End.values()).allMatch(end -> reached(steps.get(end))
                .equals(reachable(end, it))); again++) {
            duel.steps(it.kind, it.endsFirst).forEach((end, more) ->
                    more.forEach((step, times) -> steps.get(end).merge(step, times, Integer::sum)));
        }
        for (End end : End.values()) {
            assertEquals(reachable(end, it), reached(steps.get(end)),
                    () -> end + " " + steps.get(end) + ", -Dfaults.seed=" + SEED + Effort.asOptions());
        }
    }

    private List<Step> reachable(End end, Conversation it) {
        return Stream.of(Step.values()).filter(step -> way.comesBy(step, end, it.kind.at(end), it.endsFirst)).toList();
    }

    private static List<Step> reached(Map<Step, Integer> steps) {
        return Stream.of(Step.values()).filter(step -> steps.get(step) > 0).toList();
    }

    Stream<Cell> clients() throws Exception {
        return cells(End.CLIENT);
    }

    Stream<Cell> servers() throws Exception {
        return cells(End.SERVER);
    }

    /** Deadly faults come last, because a process that survives need not be started again. */
    private Stream<Cell> cells(End victim) throws Exception {
        List<Cell> cells = new ArrayList<>();
        int rounds = Effort.rounds(1, 6);
        for (int round = 0; round < rounds; round++) {
            for (Step step : Step.values()) {
                End endsFirst = Cell.endsFirst(step, victim);
                List<Ends> possible = kinds.stream().filter(kind -> way.comesBy(step, victim, kind.at(victim), endsFirst)).toList();
                if (possible.isEmpty()) {
                    continue;
                }
                Ends kind = possible.get((3 * step.ordinal() + victim.ordinal() + round) % possible.size());
                for (Fault fault : faults(step, victim)) {
                    boolean first = round == 0 && !OFTEN.contains(step);
                    cells.add(new Cell(kind, step, fault, victim, first ? 1 : time(step, victim, new Conversation(kind, endsFirst)),
                            first ? 0 : delay(), stopMillis(step, round, rounds)));
                }
            }
        }
        return cells.stream().filter(cell -> cell.toString().matches(CELLS))
                .sorted(Comparator.comparing(cell -> cell.fault().isDeadly()));
    }

    /** With --all every fault. */
    private List<Fault> faults(Step step, End victim) throws IOException {
        End other = victim.other();
        boolean evenly = (step.ordinal() + victim.ordinal()) % 2 == 0
                || !way.comesBy(step, other, EndKind.SOCKET, Cell.endsFirst(step, other));
        List<Fault> some = haveChannels() ? faultsOfChannels(step, evenly)
                : way == Way.SCI ? faultsOverSharedMemory(step, victim, evenly) : faultsOverMessages(step, evenly);
        List<Fault> all = List.of(Fault.values());
        return Effort.of(Math.max(1, some.size()), all.size()) < all.size() ? some : all;
    }

    /** Each end is killed at each step, and one end is out of memory. The other faults take turns. */
    private static List<Fault> faultsOverSharedMemory(Step step, End victim, boolean outOfMemory) {
        List<Fault> faults = new ArrayList<>(List.of(Fault.KILL));
        if (outOfMemory) {
            faults.add(Fault.OUT_OF_MEMORY);
        }
        int turn = (step.ordinal() + 2 * victim.ordinal()) % (2 * REST.size());
        if (turn < REST.size()) {
            faults.add(REST.get(turn));
        }
        return faults;
    }

    /**
     * Over shared memory one end is killed at each step, and at the other end the other faults take turns. Over messages two of three steps
     * have one fault each, by turns too. A second JDK has every other step.
     */
    private List<Fault> faultsOfChannels(Step step, boolean killed) throws IOException {
        boolean left = step.ordinal() % 2 == 0;
        if (left && !Jdks.isOldest() || way == Way.MX && (left == killed || step.ordinal() % 3 == 2)) {
            return List.of();
        }
        return List.of(killed ? Fault.KILL : ALL_BUT_KILL.get(step.ordinal() / 2 % ALL_BUT_KILL.size()));
    }

    /** One end is killed at each step. At the other end the other faults take turns. */
    private static List<Fault> faultsOverMessages(Step step, boolean killed) {
        Fault turn = killed ? Fault.KILL : ALL_BUT_KILL.get(step.ordinal() % ALL_BUT_KILL.size());
        return switch (step) {
            case MESSAGE_RECEIVED -> List.of(turn, Fault.OUT_OF_MEMORY); // in a thread that serves all connections
            case DATA_SENT -> List.of(turn, Fault.EXIT); // with much under way (END-5)
            default -> List.of(turn);
        };
    }

    /**
     * A random one of the times that a conversation reaches the step. The last times are left out, because a conversation
     * may not reach them.
     */
    private int time(Step step, End victim, Conversation it) throws Exception {
        if (counts.get(it) == null) {
            counts.put(it, duel.steps(it.kind, it.endsFirst));
        }
        return 1 + RANDOM.nextInt(Math.max(1, counts.get(it).get(victim).get(step) / 2));
    }

    private static long delay() {
        return RANDOM.nextBoolean() ? 0 : (long) (RANDOM.nextDouble() * DELAY_NANOS_MAX);
    }

    /** The first round has long stops. The last round has the longest ones, which take a minute. */
    private static long stopMillis(Step step, int round, int rounds) throws IOException {
        int usual = round == 0 && Cell.isOfTheNegotiation(step) ? LONG_STOP_MILLIS : STOP_MILLIS;
        boolean longest = round == rounds - 1 && STOPPED_LONGEST.contains(step) && Jdks.isOldest();
        return longest ? Effort.of(usual, LONGEST_STOP_MILLIS) : usual;
    }

    @ParameterizedTest
    @MethodSource("clients")
    void toTheClient(Cell cell) throws Exception {
        run(cell);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void toTheServer(Cell cell) throws Exception {
        run(cell);
    }

    private void run(Cell cell) throws Exception {
        try {
            report.add(cell, duel.run(cell));
        } catch (Exception | AssertionError e) {
            for (End end : End.values()) {
                duel.replace(end); // so that this cell's remains do not make the next one fail
            }
            throw new AssertionError("-Dfaults.seed=" + SEED + Effort.asOptions()
                    + " -Dfaults.cells='" + Pattern.quote("" + cell) + "'", e);
        }
    }
}
