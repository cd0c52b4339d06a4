package jfs.conformance.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Commands;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Systems that lack something or have unusual settings. None of that keeps a connection from being fast. */
class SystemSettingsTest extends Shortages {

    private static void assume(String what, String[] under) throws Exception {
        Commands.assume(what, Stream.concat(Stream.of(under), Stream.of("true")).toArray(String[]::new));
    }

    private void areFast(Child.Start serversStart, Child.Start clientsStart) throws Exception {
        Child server = start(serversStart);
        Child client = start(clientsStart);
        connect(client, server);
        converse(client, server);
        isFast(client, server);
        talkAboutEverything(client, server);
        assertEquals("{}", client.fallbacks());
        assertEquals("{}", server.fallbacks());
    }

    /** Regions are anonymous files, which lie in no folder. */
    @Test
    void nothingIsInSharedMemorysFolder() throws Exception {
        String[] full = inOwnMounts("mount -t tmpfs -o size=4k tmpfs /dev/shm && head -c 4096 /dev/zero >/dev/shm/full"
                + " && ! echo >/dev/shm/more 2>/dev/null");
        assume("a full /dev/shm", full);
        areFast(logging().under(full), logging().under(full));
    }

    /** Without /proc neither limits nor owners of sockets can be looked up. */
    @ParameterizedTest
    @EnumSource
    void withoutProc(End end) throws Exception {
        String libraries = "LD_LIBRARY_PATH=" + System.getProperty("java.home") + "/lib"; // java finds these by /proc
        String[] without = Stream.of(inOwnMounts("umount -l /proc && ! test -e /proc/self"), new String[] {"env",
                libraries}).flatMap(Stream::of).toArray(String[]::new);
        assume("a system without /proc", without);
        Child.Start start = logging().under(without);
        areFast(end == End.SERVER ? start : logging(), end == End.CLIENT ? start : logging());
    }

    /**
     * A kernel before Linux 5.16, or a container whose system call filter is older than that. Each end then has a bell, by
     * which its threads sleep.
     */
    @ParameterizedTest
    @EnumSource
    void withoutAFutexOfTwoWords(End end) throws Exception {
        Child.Start start = logging().under(refusing("futex_waitv=ENOSYS"));
        Child server = start(end == End.SERVER ? start : logging());
        Child client = start(end == End.CLIENT ? start : logging());
        connect(client, server);
        converse(client, server);
        assertEquals(end == End.SERVER ? "poll" : "futexWait", sleepsAndIsWoken(server, client));
        assertEquals(end == End.CLIENT ? "poll" : "futexWait", sleepsAndIsWoken(client, server));
        talkAboutEverything(client, server);
    }

    /** Under strict accounting a missing page may be refused when it is touched. So all pages are there from the beginning. */
    @Test
    void strictAccountingOfMemory(@TempDir Path folder) throws Exception {
        Path setting = Files.writeString(folder.resolve("overcommit_memory"), "2\n");
        String[] strict = inOwnMounts("mount --bind " + setting + " /proc/sys/vm/overcommit_memory");
        assume("a setting of its own", strict);
        Child server = start(logging().under(strict));
        Child client = start(logging().under(strict));
        connect(client, server);
        converse(client, server);
        for (Child each : List.of(client, server)) {
            long[] region = regionOf(each);
            assertTrue(region[0] > 8 << 10, region[0] + " KB");
            assertEquals(region[0], region[1], "all of it is there");
        }
        server.begin("write 1 3000000").isDone(); // through the overflow ring, whose pages are given back with other settings
        client.begin("read 1 3000000").isDone();
        server.begin("write 2 1").isDone();
        client.begin("read 2 1").isDone();
        for (Child each : List.of(client, server)) {
            long[] region = regionOf(each);
            assertEquals(region[0], region[1], "and stays");
        }
    }

    /** Without strict accounting only a few pages are there. */
    @Test
    void usualAccountingOfMemory() throws Exception {
        Child server = start(logging());
        Child client = start(logging());
        connect(client, server);
        converse(client, server);
        long[] region = regionOf(client);
        assertTrue(region[1] < 64, region[1] + " of " + region[0] + " KB");
    }

    /** Size and resident part of a process's shared memory, in KB. */
    private static long[] regionOf(Child child) throws IOException {
        List<String> lines = Files.readAllLines(Path.of("/proc/" + child.pid() + "/smaps"));
        int at = 0;
        while (!lines.get(at).contains("memfd:sisci-segment")) {
            at++;
        }
        return new long[] {kilobytes(lines, at, "Size:"), kilobytes(lines, at, "Rss:")};
    }

    private static long kilobytes(List<String> lines, int at, String key) {
        return lines.stream().skip(at).filter(line -> line.startsWith(key)).findFirst()
                .map(line -> Long.parseLong(line.replaceAll("[^0-9]", ""))).orElseThrow();
    }
}
