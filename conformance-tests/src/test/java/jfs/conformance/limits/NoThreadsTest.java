package jfs.conformance.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.Stream;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Commands;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The system gives a process no more threads. Then JFS does without what needs a thread, and no call of the program fails
 * because of that. When threads are available again JFS makes it.
 */
class NoThreadsTest extends Shortages {

    /** A user that has no other threads. The limit is on all threads of a user, and does not apply to root. */
    private static final String USER = "54321";
    private static final String[] AS_USER = {"setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups",
            "--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"}; // to read the class path
    private static final String[] LIMITED = Stream.of(new String[] {"prlimit", "--nproc=150:150"}, AS_USER)
            .flatMap(Stream::of).toArray(String[]::new);

    private static final String NONE = "unable to create native thread: possibly out of memory or process/resource limits"
            + " reached";

    @BeforeEach
    void assumeAnotherUser() throws Exception {
        Commands.assume("a user with a limit of threads",
                Stream.concat(Stream.of(LIMITED), Stream.of("true")).toArray(String[]::new));
    }

    @Test
    void forTheClientsFirstOffer() throws Exception {
        Child server = start(logging().under(AS_USER));
        Child client = start(logging().under(LIMITED));
        long port = server.ask("listen 127.0.0.1 0");
        connect(client, server, port);
        Child.Order follow = server.begin("follow");
        assertEquals("5", client.tell("withoutThreads lead 5"));
        follow.isDone();
        says(client, "NO_RESOURCES", "thread of a cleaner: " + NONE);
        talkAboutEverything(client, server);
        assertEquals("{NO_RESOURCES=1}", client.fallbacks());
        assertEquals("{NO_OFFER=1}", server.fallbacks());
        isFastAgain(client, server, port);
    }

    @Test
    void forTheServersRendezvous() throws Exception {
        Child server = start(logging().under(LIMITED));
        Child client = start(logging().under(AS_USER));
        long port = Long.parseLong(server.tell("withoutThreads listen 127.0.0.1 0"));
        connect(client, server, port);
        staysOnTcp(client, "{NO_PEER=1}", server, "{NO_RESOURCES=1}");
        says(server, "NO_RESOURCES", "thread of a cleaner: " + NONE);
    }

    /** The library's own thread, which answers processes that connect to a segment and learns of deaths. */
    @Test
    void forTheServersEndOfARegion() throws Exception {
        Child server = start(logging().under(LIMITED));
        Child client = start(logging().under(AS_USER));
        long port = server.ask("listen 127.0.0.1 0");
        connect(client, server, port);
        Child.Order follow = server.begin("withoutThreads follow");
        client.begin("ask 2").isDone(); // the first answer comes when no thread can be made, then the client makes its offer
        says(client, "NO_RESOURCES", PEER);
        client.ask("lead 1");
        follow.isDone();
        says(server, "NO_RESOURCES", "SCIConnectSegment: pthread_create: Resource temporarily unavailable");
        talkAboutEverything(client, server);
        assertEquals("{NO_RESOURCES=1}", client.fallbacks());
        assertEquals("{NO_RESOURCES=1}", server.fallbacks());
        isFastAgain(client, server, port);
    }

    /** The negotiation tries again after a second to start its thread, so some connections may come too early. */
    private static void isFastAgain(Child client, Child server, long port) {
        long attached;
        do {
            connect(client, server, port);
            Child.Order follow = server.begin("follow");
            client.ask("lead 200");
            follow.isDone();
            attached = client.ask("attached");
            if (attached > 0) {
                isFast(client, server);
            }
            client.begin("close").isDone();
            server.begin("close").isDone();
        } while (attached == 0);
    }
}
