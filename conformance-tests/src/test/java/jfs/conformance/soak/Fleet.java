package jfs.conformance.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Leftovers;
import jfs.testing.Await;
import jfs.testing.Jdks;

/**
 * The processes: two servers and two clients that stay, with all collectors and on both JDKs, and a server and a client,
 * with any collector and on any JDK, that are killed and replaced now and then. Or only a server and a client, which stay.
 */
public final class Fleet implements AutoCloseable {

    private static final List<String> COLLECTORS = List.of("Serial", "ZGC", "Parallel", "G1");
    /** With this option the JVM has no channels of JFS's, because JFS uses channels itself. */
    private static final String OVER_CHANNELS = "-Djfs.tcp=nio";
    /** Other options that a replacement may get. */
    private static final List<List<String>> SETTINGS = List.of(List.of(), List.of("-Djfs.upgrade.after=0"),
            List.of("-Djfs.buffer.size=65536"), List.of(OVER_CHANNELS), List.of("-Djfs.poll.micros=0"));
    /** Options of JVMs whose memory is measured. The serial collector has to leave no dead objects, because they would be counted. */
    static final List<String> MEASURED = List.of("-XX:TieredStopAtLevel=4", "-Xms96m", "-Xmx96m",
            "-XX:+AlwaysPreTouch", "-XX:MarkSweepAlwaysCompactCount=1", "-XX:NativeMemoryTracking=summary");
    /** The option of JVMs some of whose ends are channels. */
    static final String WITH_CHANNELS = "-Djfs.nio=on";
    private static final String SOCKET = "jfs.JFSSocketImpl";
    /** A process without connections has none of these objects, except a listening socket and the one that it accepts into. */
    private static final List<String> OF_A_CONNECTION = List.of(SOCKET, "jfs.transport.sci.SciPath",
            "jfs.transport.sci.SciResources", "jfs.negotiation.handshake.AcceptedSockets$Entry",
            "jfs.negotiation.handshake.local.LocalAcceptor$Visitor", "jfs.negotiation.handshake.OutgoingOffer",
            "jfs.connection.IdleWatch$Entry", "sun.nio.ch.JfsChannel", "jfs.nio.ChannelEnd", "jfs.nio.ChannelConnection");

    private final Path temporary;
    private final Path reports;
    private final Random random;
    private final long silenceSeconds;
    private final List<Path> jdks = new ArrayList<>();
    private final List<Child> started = new ArrayList<>();
    private final List<Member> residents = new ArrayList<>();
    private final List<Member> others = new ArrayList<>();
    private final Set<Integer> killed = new TreeSet<>();
    /** Sums of the figures of the processes that were killed. */
    private final Map<String, Long> past = new TreeMap<>();
    private Load load;
    private long excused;

    /** What each client does: see {@link Client#begin}. */
    public record Load(int atOnce, int shortOnes, int idle) {
    }

    /**
     * @param temporary the processes' folder for temporary files
     * @param reports the folder for reports of failures
     * @param silenceSeconds no connection may do nothing for so long, unless it is meant to
     */
    public Fleet(Path temporary, Path reports, Random random, long silenceSeconds) {
        this.temporary = temporary;
        this.reports = reports;
        this.random = random;
        this.silenceSeconds = silenceSeconds;
    }

    void start() throws IOException {
        jdks.add(Path.of(System.getProperty("java.home")));
        Jdks.other().ifPresent(jdks::add);
        List<Child> children = new ArrayList<>();
        for (int i = 0; i < 4; i++) { // all are starting before the first one is waited for
            children.add(start(i % 2 == 0, i, i / 2 + i % 2, List.of(WITH_CHANNELS)));
        }
        for (int i = 0; i < 4; i++) {
            residents.add(new Member(i, i % 2 == 0, what(i, i / 2 + i % 2, List.of(WITH_CHANNELS)), children.get(i)));
        }
        others.add(another(true));
        others.add(another(false));
        all().forEach(this::introduce);
    }

    /**
     * Starts only a server and a client.
     *
     * @param options of both JVMs, beside those that are added here
     */
    public void start(Path serversJdk, Path clientsJdk, List<String> options) throws IOException {
        List<Path> homes = List.of(serversJdk, clientsJdk);
        for (int i = 0; i < 2; i++) { // both are starting before the first one is waited for
            Child.Start start = node(i == 0, homes.get(i));
            options.forEach(start::with);
            started.add(start.start());
        }
        for (int i = 0; i < 2; i++) {
            residents.add(new Member(i, i == 0, homes.get(i).getFileName().toString(), started.get(i)));
        }
        introduce(residents.get(0));
    }

    /** How to start the next one of {@link #started}. */
    private Child.Start node(boolean serves, Path jdk) {
        return Child.jfs().on(jdk).running(Node.class, String.valueOf(serves), String.valueOf(started.size()))
                .with("-Djava.io.tmpdir=" + temporary);
    }

    private Child start(boolean serves, int collector, int jdk, List<String> settings) throws IOException {
        Child.Start start = node(serves, jdks.get(jdk % jdks.size())).with("-XX:-UseSerialGC")
                .with("-XX:+Use" + gc(collector));
        MEASURED.forEach(start::with);
        settings.forEach(start::with);
        Child child = start.start();
        started.add(child);
        return child;
    }

    private static String gc(int collector) {
        String name = COLLECTORS.get(collector % COLLECTORS.size());
        return name.endsWith("GC") ? name : name + "GC";
    }

    private String what(int collector, int jdk, List<String> settings) {
        Path home = jdks.get(jdk % jdks.size());
        return COLLECTORS.get(collector % COLLECTORS.size()) + ", " + home.getFileName()
                + String.join("", settings).replace("-D", ", ");
    }

    private Member another(boolean serves) throws IOException {
        int collector = random.nextInt(COLLECTORS.size());
        int jdk = random.nextInt(jdks.size());
        List<String> settings = new ArrayList<>(SETTINGS.get(random.nextInt(SETTINGS.size())));
        if (random.nextBoolean() && !settings.contains(OVER_CHANNELS)) {
            settings.add(WITH_CHANNELS);
        }
        Child child = start(serves, collector, jdk, settings);
        return new Member(started.size() - 1, serves, what(collector, jdk, settings), child);
    }

    /** Introduces a client to all servers, or a server to all clients. */
    private void introduce(Member one) {
        for (Member other : all()) {
            if (one.serves != other.serves) {
                Member client = one.serves ? other : one;
                Member server = one.serves ? one : other;
                client.tell("forget " + server.number);
                client.tell("target " + server.number + " " + server.port + " " + server.channelPort);
            }
        }
    }

    List<Member> residents() {
        return residents;
    }

    public List<Member> all() {
        List<Member> all = new ArrayList<>(residents);
        all.addAll(others);
        return all;
    }

    /** How many connections have ended because a process was killed. */
    long excused() {
        return excused;
    }

    int kills() {
        return killed.size();
    }

    /** A figure, summed over all servers or all clients so far. */
    public long sum(String name, boolean ofServers) {
        return past.getOrDefault(sumOf(name, ofServers), 0L) + all().stream()
                .filter(member -> member.serves == ofServers)
                .mapToLong(member -> member.figures("figures").get(name)).sum();
    }

    private static String sumOf(String name, boolean ofServers) {
        return name + (ofServers ? " at servers" : " at clients");
    }

    public void begin(Load what) {
        load = what;
        all().forEach(this::begin);
    }

    private void begin(Member member) {
        member.tell("begin " + random.nextLong() + " " + load.atOnce + " " + load.shortOnes + " " + load.idle);
    }

    /** Kills one of the processes that don't stay, and starts another one in its place. */
    void replaceOne() throws Exception {
        lookForProblems();
        Member victim = others.remove(random.nextInt(others.size()));
        victim.figures("figures").forEach((name, value) -> past.merge(sumOf(name, victim.serves), value, Long::sum));
        killed.add(victim.number);
        victim.kill();
        Await.until(() -> "none of the names " + victim.names, () -> !Leftovers.anyOf(victim.names));
        for (Member client : all()) {
            if (victim.serves && !client.serves) {
                client.tell("forget " + victim.number);
            }
        }
        Member next = another(victim.serves);
        others.add(next);
        introduce(next);
        begin(next);
    }

    /** Begins no more connections. Returns when all have come to their ends. */
    public void rest() throws Exception {
        for (Member client : all()) {
            client.tell("rest");
        }
        for (Member member : all()) {
            long start = System.nanoTime();
            while (!member.says("rests")) {
                lookForProblems();
                if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(2 * silenceSeconds)) {
                    throw failure(member, "", "does not come to rest");
                }
                TimeUnit.MILLISECONDS.sleep(50); // between two looks
            }
        }
        lookForProblems();
        for (Member member : all()) {
            awaitNothingOpen(member);
        }
    }

    /** Waits until nothing is open, by JFS's own records and by the kernel's. */
    private void awaitNothingOpen(Member member) throws Exception {
        String[] open = {""};
        Await.until(() -> member + " without connections has " + open[0], () -> {
            var ofJfs = member.figures("jfs");
            List<String> left = new ArrayList<>();
            for (String type : OF_A_CONNECTION) {
                long allowed = member.serves && type.equals(SOCKET) ? 2 : 0;
                long count = ofJfs.getOrDefault(type, 0L);
                if (count > allowed) {
                    left.add(count + " " + type);
                }
            }
            long keys = member.figures("figures").get("keys");
            if (keys > 0) {
                left.add(keys + " keys");
            }
            if (member.sharedMappings() > 0) {
                left.add(member.sharedMappings() + " mappings");
            }
            open[0] = left.toString();
            return left.isEmpty();
        });
        long undecided = member.figures("figures").get("undecided");
        if (undecided != 0) {
            throw failure(member, "", undecided + " connections are neither fast nor over TCP for a reason");
        }
        long plain = member.figures("figures").get("plainChannels");
        if (plain != 0) {
            throw failure(member, "", plain + " channels are plain ones");
        }
    }

    /** @throws AssertionError if a connection has a problem that the death of a process does not explain */
    public void lookForProblems() throws IOException {
        List<AssertionError> failures = new ArrayList<>();
        for (Member member : all()) {
            for (String line : member.lines("problems")) {
                Book.Problem problem = Book.Problem.decoded(line);
                if (isExcused(problem)) {
                    excused++;
                } else {
                    failures.add(failure(member, problem.id(), problem.what()));
                }
            }
            for (String id : member.lines("silent " + silenceSeconds)) {
                failures.add(failure(member, id, "has done nothing for " + silenceSeconds + " s"));
            }
        }
        if (!failures.isEmpty()) {
            AssertionError first = failures.remove(0);
            failures.forEach(first::addSuppressed);
            throw first;
        }
    }

    private boolean isExcused(Book.Problem problem) {
        return killed.contains(problem.peer()) || problem.peer() == Book.Problem.UNKNOWN && !killed.isEmpty();
    }

    private AssertionError failure(Member where, String id, String what) throws IOException {
        StringBuilder text = new StringBuilder(where + ", connection " + id + ": " + what);
        Files.createDirectories(reports);
        for (Member member : all()) {
            if (!id.isEmpty()) {
                text.append(String.format("%n%s: ", member)).append(String.join(System.lineSeparator(),
                        member.lines("history " + id)));
            }
            Path dump = reports.resolve("threads-of-" + member.number + ".txt");
            Files.write(dump, member.lines("threads"));
        }
        return new AssertionError(text + System.lineSeparator() + "threads: " + reports.toAbsolutePath());
    }

    /** Kills all processes, whatever their state. Nothing of them is left. */
    @Override
    public void close() {
        started.forEach(Child::close);
    }
}
