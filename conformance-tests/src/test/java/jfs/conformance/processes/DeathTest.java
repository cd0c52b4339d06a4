package jfs.conformance.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jfs.conformance.Await;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** kill -9: the other process hears of it within a second, and nothing is left on either side. */
class DeathTest extends Children {

    private static final long A_SECOND = TimeUnit.SECONDS.toNanos(1);
    /** More than any buffer between two ends takes, at any time. */
    private static final int TOO_MUCH = 500_000_000;

    @TempDir
    Path temporary;

    /** Who is killed. */
    enum Victim {
        CLIENT, SERVER
    }

    private Child victim;
    private Child survivor;
    private Set<String> names;
    private long descriptors;

    /** Switched; the survivor has had another connection before, so that what it makes once is there. */
    private void connected(Victim who) throws Exception {
        Child.Start start = Child.jfs().with("-Djava.io.tmpdir=" + temporary);
        Child server = start(start);
        Child client = start(start);
        long port = server.ask("listen 127.0.0.1 0");
        connect(client, server, port);
        converse(client, server);
        client.begin("close").isDone();
        server.begin("close").isDone();
        victim = who == Victim.CLIENT ? client : server;
        survivor = who == Victim.CLIENT ? server : client;
        Await.until("the survivor has forgotten the first connection", () -> survivor.ask("mappings") == 0);
        descriptors = survivor.ask("descriptors");
        connect(client, server, port);
        names = Leftovers.namesOf(server.pid());
        assertFalse(names.isEmpty(), "the server has a name");
        converse(client, server);
    }

    /** How long it has from the kill on. */
    private static long leftOf(long killed) {
        return A_SECOND - (System.nanoTime() - killed);
    }

    private static void assertOver(String result) {
        assertTrue(result.startsWith("java.io.EOFException: after ")
                || result.equals("java.net.SocketException: Connection reset")
                || result.equals("java.net.SocketException: Connection reset by peer")
                || result.equals("java.net.SocketException: Broken pipe"), result);
    }

    private void assertNothingIsLeft(Victim who) throws Exception {
        victim.awaitEnd();
        survivor.begin("close").isDone();
        Await.until(() -> "the survivor has no shared memory", () -> survivor.ask("mappings") == 0);
        long[] now = {0};
        Await.until(() -> descriptors + " descriptors again, but " + now[0], () -> {
            now[0] = survivor.ask("descriptors");
            return now[0] <= descriptors;
        });
        if (who == Victim.CLIENT) {
            survivor.begin("closeListener").isDone();
        }
        Await.until(() -> "none of the names " + names, () -> !Leftovers.anyOf(names));
        assertEquals(Set.of(), Leftovers.namesOf(survivor.pid()));
        try (Stream<Path> files = Files.list(temporary); Stream<Path> shared = Files.list(Path.of("/dev/shm"))) {
            assertEquals(Set.of(), files.collect(Collectors.toSet()));
            assertEquals(Set.of(), shared.filter(file -> file.getFileName().toString().matches("(jfs|sisci).*"))
                    .collect(Collectors.toSet()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void theSurvivorIsReading(Victim who) throws Exception {
        connected(who);
        victim.begin("write 1 1000").isDone();
        Child.Order read = survivor.begin("read 1 1001").blocked();
        long killed = victim.kill();
        assertOver(read.resultWithin(leftOf(killed)));
        assertNothingIsLeft(who);
    }

    @ParameterizedTest
    @EnumSource
    void theSurvivorIsWriting(Victim who) throws Exception {
        connected(who);
        Child.Order write = survivor.begin("write 1 " + TOO_MUCH).blocked();
        long killed = victim.kill();
        assertOver(write.resultWithin(leftOf(killed)));
        assertNothingIsLeft(who);
    }

    @ParameterizedTest
    @EnumSource
    void inTheMiddleOfATransfer(Victim who) throws Exception {
        connected(who);
        Child.Order write = survivor.begin("write 1 " + TOO_MUCH);
        Child.Order read = survivor.begin("read 2 " + TOO_MUCH);
        victim.begin("exchange 2 1 " + TOO_MUCH);
        long before = survivor.ask("descriptors"); // meanwhile they are at it
        assertTrue(before > 0);
        long killed = victim.kill();
        assertOver(write.resultWithin(leftOf(killed)));
        assertOver(read.resultWithin(leftOf(killed)));
        assertNothingIsLeft(who);
    }

    /** TCP has told all it will ever tell: the end came before the death. */
    @ParameterizedTest
    @EnumSource
    void theVictimHadShutDownItsOutputAndTheSurvivorIsWriting(Victim who) throws Exception {
        connected(who);
        victim.begin("shutdownOutput").isDone();
        assertEquals(0, survivor.ask("readToEnd 1"));
        Child.Order write = survivor.begin("write 1 " + TOO_MUCH).blocked();
        long killed = victim.kill();
        assertOver(write.resultWithin(leftOf(killed)));
        assertNothingIsLeft(who);
    }

    @ParameterizedTest
    @EnumSource
    void theVictimHadShutDownItsOutputAndTheSurvivorIsIdle(Victim who) throws Exception {
        connected(who);
        victim.begin("shutdownOutput").isDone();
        assertEquals(0, survivor.ask("readToEnd 1"));
        long killed = victim.kill();
        assertOver(survivor.begin("writeUntilItFails").resultWithin(leftOf(killed)));
        assertNothingIsLeft(who);
    }

    /** What had been written before the death is there to be read. */
    @ParameterizedTest
    @EnumSource
    void theSurvivorReadsLater(Victim who) throws Exception {
        connected(who);
        victim.begin("write 1 2000000").isDone();
        victim.kill();
        victim.awaitEnd();
        assertEquals(2_000_000, survivor.ask("readToEnd 1"));
        assertNothingIsLeft(who);
    }

    /** Names in the abstract namespace of Unix sockets, which the kernel shows with an "@". */
    private static final class Leftovers {

        static Set<String> namesOf(long pid) throws IOException {
            Set<String> sockets;
            try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + pid + "/fd"))) {
                sockets = descriptors.map(Leftovers::target).filter(target -> target.startsWith("socket:["))
                        .map(target -> target.substring("socket:[".length(), target.length() - 1))
                        .collect(Collectors.toSet());
            }
            try (Stream<String> lines = Files.lines(Path.of("/proc/net/unix"))) {
                return lines.map(line -> line.trim().split("\\s+"))
                        .filter(words -> words.length == 8 && words[7].startsWith("@") && sockets.contains(words[6]))
                        .map(words -> words[7]).collect(Collectors.toSet());
            }
        }

        private static String target(Path descriptor) {
            try {
                return Files.readSymbolicLink(descriptor).toString();
            } catch (IOException e) {
                return ""; // closed meanwhile
            }
        }

        static boolean anyOf(Set<String> names) throws IOException {
            try (Stream<String> lines = Files.lines(Path.of("/proc/net/unix"))) {
                return lines.anyMatch(line -> names.stream().anyMatch(line::endsWith));
            }
        }
    }
}
