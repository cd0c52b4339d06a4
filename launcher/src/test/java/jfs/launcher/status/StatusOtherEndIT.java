package jfs.launcher.status;

import static jfs.launcher.status.StatusPrograms.agent;
import static jfs.launcher.status.StatusPrograms.assertEventually;
import static jfs.launcher.status.StatusPrograms.assertHas;

import java.nio.file.Path;
import jfs.launcher.status.StatusPrograms.Running;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client finds no peer, and the command status shows what the server's process says of the connection. */
class StatusOtherEndIT {

    @TempDir
    static Path classes;

    @BeforeAll
    static void compile() throws Exception {
        StatusPrograms.compile(classes);
    }

    private static String status(Running program) throws Exception {
        return StatusPrograms.status(classes, program.pid());
    }

    private static Running client(Running server) throws Exception {
        return new Running(classes, agent("jfs.upgrade.after=1"), "Talk", server.first);
    }

    @Test
    void theServerIsSwitchedOff() throws Exception {
        try (Running server = new Running(classes, agent("jfs.transport=tcp"), "Echo"); Running client = client(server)) {
            assertEventually(classes, client, "why: the other end, process " + server.pid() + ", says: TRANSPORT_OFF: ");
            assertHas(status(client), "what to do: at the other end: set jfs.transport to sci, mx or both\n");
            assertHas(status(server), "what to do: set jfs.transport to sci, mx or both\n");
        }
    }

    @Test
    void theServersNativesAreMissing() throws Exception {
        try (Running server = new Running(classes, agent("jfs.native.dir=" + classes), "Echo"); Running client = client(server)) {
            assertEventually(classes, client, "why: the other end, process " + server.pid() + ", says: UNAVAILABLE: native library: ");
            assertHas(status(client), "what to do: at the other end: run java -jar jfs.jar selftest ");
        }
    }

    /** Its process has jfs.jar, and none of its connections is JFS's. */
    @Test
    void theServersChannelsStayTheJdks() throws Exception {
        try (Running server = new Running(classes, agent("jfs.nio=off"), "ChannelEcho"); Running client = client(server)) {
            assertEventually(classes, client, "; the other end is of process " + server.pid() + ", ChannelEcho, which has jfs.jar, but this"
                    + " connection is not JFS's there\n");
            assertHas(status(client), "what to do: ask status for process " + server.pid() + "; ");
        }
    }

    /** A client that offers at once comes before the server looks for offers. */
    @Test
    void theServersEndIsTooYoung() throws Exception {
        try (Running server = new Running(classes, agent("jfs.upgrade.after=1000000"), "Echo"); Running client = client(server)) {
            assertEventually(classes, client, "why: the other end, process " + server.pid() + ", says: it has had ");
            assertHas(status(client), " of the 31250 requests and answers after which offers can find it\n    what to do: nothing, if it ");
        }
    }
}
