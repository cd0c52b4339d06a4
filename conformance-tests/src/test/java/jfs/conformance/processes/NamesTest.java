package jfs.conformance.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Set;
import java.util.stream.Stream;
import jfs.conformance.harness.faults.Hook;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Children;
import jfs.conformance.harness.processes.Leftovers;
import jfs.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The client finds the process at the other end of its connection, and in it the socket (NEG-1, NEG-3), or stays on TCP. */
class NamesTest extends Children {

    private static final String LOOPBACK = "00000000000000000000ffff7f000001";

    /** NEG-1: both sockets of the server seem connected to the client's port. */
    @Test
    void anOldConnectionFromTheSamePort() throws Exception {
        Child server = start(Child.jfs());
        Child client = start(Child.jfs());
        long port = server.ask("listen 127.0.0.1 0");
        Child.Order first = server.begin("accept");
        client.begin("connectReusable 127.0.0.1 " + port).isDone();
        first.isDone();
        server.begin("keep").isDone();
        Child.Order second = server.begin("accept");
        client.begin("connectAgain 127.0.0.1 " + port).isDone();
        second.isDone();
        converse(client, server);
        talkAboutEverything(client, server);
        assertEquals("java.net.SocketException: Connection reset", server.tell("readKept"));
    }

    /** Only established connections take part. This one's end is under way already. */
    @Test
    void aConnectionThatIsHalfClosed() throws Exception {
        Child server = start(Child.jfs());
        Child client = start(Child.jfs());
        connect(client, server);
        server.begin("write 1 1").isDone();
        server.begin("shutdownOutput").isDone();
        assertEquals(1, client.ask("readToEnd 1"));
        client.begin("write 2 200000").isDone(); // leads to an offer
        Await.until("the client has its reason", () -> client.fallbacks().equals("{STALE=1}"));
        client.begin("close").isDone();
        assertEquals(200_000, server.ask("readToEnd 2"));
        server.begin("close").isDone();
        assertEquals("{NO_OFFER=1}", server.fallbacks());
    }

    @Test
    void theListenerIsClosedAfterItHasAccepted() throws Exception {
        Child server = start(Child.jfs());
        Child client = start(Child.jfs());
        connect(client, server);
        Set<String> name = Leftovers.namesOf(server.pid());
        server.begin("closeListener").isDone();
        assertEquals(1, name.size());
        assertEquals(name, Leftovers.namesOf(server.pid()), "the name stays for the connection's sake");
        converse(client, server);
        Await.until("the name has gone", () -> !Leftovers.anyOf(name));
    }

    private static Child.Start byDefault() {
        return Child.jfs().with("-Djfs.upgrade.after=400");
    }

    /** How many listeners of the process can be found. */
    private static long listenersOf(Child process) throws IOException {
        return Leftovers.namesOf(process.pid()).stream().filter(name -> name.startsWith("@jfs/")).count();
    }

    /** NEG-3: a listener whose connections are short needs no name, and its connections need no entry. */
    @Test
    void aListenerTakesItsNameForAConversation() throws Exception {
        Child server = start(byDefault());
        Child client = start(byDefault());
        connect(client, server);
        Child.Order follow = server.begin("follow");
        client.ask("lead 5");
        follow.isDone();
        assertEquals(0, listenersOf(server));
        follow = server.begin("follow");
        client.ask("lead 20");
        follow.isDone();
        assertEquals(1, listenersOf(server));
        converse(client, server);
        assertEquals(1, listenersOf(server), "it keeps the name for the next one");
        assertEquals(1, client.ask("offers"));
        server.begin("closeListener").isDone();
        Await.until("the name has gone", () -> listenersOf(server) == 0);
    }

    /** NEG-3: a listener for one file takes no name. An FTP server opens such a listener for each file. */
    @Test
    void aListenerTakesItsNameForALongStream() throws Exception {
        Child server = start(byDefault());
        Child client = start(byDefault());
        connect(client, server);
        stream(client, server, 1_200_000);
        assertEquals(0, listenersOf(server));
        stream(client, server, 1_200_000);
        assertEquals(1, listenersOf(server));
    }

    private static void stream(Child writer, Child reader, int bytes) {
        Child.Order read = reader.begin("read 1 " + bytes);
        writer.begin("write 1 " + bytes).isDone();
        read.isDone();
    }

    @Test
    void theListenerIsClosedBeforeItHasTakenItsName() throws Exception {
        Child server = start(byDefault());
        Child client = start(byDefault());
        connect(client, server);
        server.begin("closeListener").isDone();
        converse(client, server);
        assertEquals(1, client.ask("offers"));
        Await.until("the name has gone", () -> listenersOf(server) == 0);
    }

    @Test
    void aServerThatOnlyReadsIsFoundAtTheFirstOffer() throws Exception {
        Child server = start(byDefault());
        Child client = start(byDefault());
        connect(client, server);
        stream(client, server, 20_000_000);
        client.begin("negotiated").isDone();
        assertEquals("{}", client.fallbacks());
        assertEquals(1, client.ask("offers"));
        talkAboutEverything(client, server);
    }

    /**
     * The client's first offer finds no name, or a process that does not know the connection yet. The next offer, soon
     * after, succeeds.
     */
    @Test
    void aClientThatOffersEarlierThanTheServerExpects() throws Exception {
        Child server = start(byDefault());
        Child client = start(Child.jfs());
        connect(client, server);
        converse(client, server);
        assertEquals("{}", client.fallbacks());
        talkAboutEverything(client, server);
        connect(client, server);
        converse(client, server);
        assertEquals("{}", client.fallbacks());
    }

    /** The exact listener is closed. Its name, which is tried first, stays while it has a connection that is not fast. */
    @Test
    void anExactListenerAndAWildcardInAnotherProcess() throws Exception {
        Child exact = start(Child.jfs());
        Child wildcard = start(Child.jfs());
        Child client = start(Child.jfs());
        long port = exact.ask("listen 127.0.0.1 0");
        assertEquals(port, wildcard.ask("listen 0.0.0.0 " + port));
        connect(client, exact, port);
        converse(client, exact);
        client.begin("close").isDone();
        exact.begin("close").isDone();
        connect(client, exact, port);
        exact.begin("closeListener").isDone();
        Child other = start(Child.jfs());
        connect(other, wildcard, port);
        assertFalse(Leftovers.namesOf(exact.pid()).isEmpty());
        converse(other, wildcard);
        converse(client, exact);
    }

    /** A process of the same user that has taken a plain server's name. */
    @ParameterizedTest
    @CsvSource({
        "not even a header,                00,                          BAD_MESSAGE",
        "an offer,                         4a465331030100,              BAD_MESSAGE",
        "another version,                  4a465331040200,              BAD_MESSAGE",
        "no known status,                  4a465331030204,              BAD_MESSAGE",
        "says that all offers are stale,   4a465331030203,              NOT_MINE",
        "joined but does not hold it,      4a465331030200,              NOT_MINE",
        "joined with what nobody has,      4a4653310302000000000700000007, NOT_MINE",
        "declined without a reason,        4a465331030202,              DECLINED",
        "declined for a reason of its own, 4a4653310302025858,          DECLINED",
        "speaks other versions,            4a46533109020256455253494f4e000405, VERSION",
        "speaks ours but says it does not, 4a46533103020256455253494f4e000105, VERSION",
        "speaks no version,                4a46533103020256455253494f4e000000, VERSION",
        "does not say which it speaks,     4a46533103020256455253494f4e, VERSION",
        "not mine,                         4a465331030201,              NOT_MINE",
        "hangs up,                         -,                           HUNG_UP",
    })
    void aSquatter(String what, String answer, String reason) throws Exception {
        Child server = start(Child.plain());
        Child squatter = start(Child.jfs());
        Child client = start(Child.jfs());
        squatter.ask("listen 127.0.0.1 0"); // loads its native library
        long port = server.ask("listen 127.0.0.1 0");
        squatter.begin("squat jfs/1/" + LOOPBACK + ":" + port + "#0 " + answer).isDone();
        connect(client, server, port);
        Child.Order follow = server.begin("follow");
        client.ask("lead 5");
        follow.isDone();
        String[] fallbacks = {null};
        Await.until(() -> reason + ", but " + fallbacks[0], () -> {
            fallbacks[0] = client.fallbacks();
            return fallbacks[0].equals("{" + reason + "=1}");
        });
        talkAboutEverything(client, server);
        assertEquals(0, client.ask("switched"));
        assertEquals(0, client.ask("mappings"));
    }

    /** The squatter has the server's first name and answers "not mine". The server has the second name. */
    @Test
    void aSquatterBeforeAServer() throws Exception {
        areFastBehind(Child.jfs());
    }

    /** So the squatter is asked once, not for each connection. */
    @Test
    void theNameOfTheLastConnectionIsAskedFirst() throws Exception {
        Child squatter = start(Child.jfs());
        Child client = start(Child.jfs().with("-Dorg.javafastsockets.steps=" + Hook.class.getName()));
        Child server = start(Child.jfs());
        long port = portSquattedBy(squatter, 1);
        server.ask("listen 127.0.0.1 " + port);
        for (int asked : new int[] {2, 3, 4}) {
            connect(client, server, port);
            converse(client, server);
            assertEquals(asked, client.ask("step NAME_CONNECTED"));
            client.begin("close").isDone();
            server.begin("close").isDone();
        }
    }

    /** Any process can take a name, so the client passes over a name of another user's process like any other. */
    @Test
    void aSquatterOfAnotherUserBeforeAServer() throws Exception {
        PeersTest.assumeAnotherUser();
        areFastBehind(Child.jfs().under(PeersTest.AS_ANOTHER_USER));
    }

    /** The squatter has all names of the port. The server can listen all the same, and its connections stay on TCP. */
    @Test
    void noNameIsLeft() throws Exception {
        Child squatter = start(Child.jfs());
        Child client = start(Child.jfs());
        Child server = start(Child.jfs());
        long port = portSquattedBy(squatter, 8);
        assertEquals(port, server.ask("listen 127.0.0.1 " + port));
        connect(client, server, port);
        staysOnTcp(client, "{NOT_MINE=1}", server, "{NO_NAME=1}");
    }

    private void areFastBehind(Child.Start squatting) throws Exception {
        Child squatter = start(squatting);
        Child client = start(Child.jfs());
        Child server = start(Child.jfs());
        long port = portSquattedBy(squatter, 1);
        server.ask("listen 127.0.0.1 " + port);
        connect(client, server, port);
        converse(client, server);
        talkAboutEverything(client, server);
        assertEquals("{}", client.fallbacks());
    }

    /** A free port whose first names the squatter has taken. It answers "not mine" to all offers. */
    private long portSquattedBy(Child squatter, int names) throws Exception {
        Child plain = start(Child.plain()); // finds the port
        squatter.ask("listen 127.0.0.1 0"); // loads its native library
        long port = plain.ask("listen 127.0.0.1 0");
        plain.begin("closeListener").isDone();
        for (int k = 0; k < names; k++) {
            squatter.begin("squat jfs/1/" + LOOPBACK + ":" + port + "#" + k + " 4a465331030201").isDone();
        }
        return port;
    }

    /** The client does not try again for a connection that has ended. */
    @Test
    void theConnectionEndsWhileItsListenerIsBusy() throws Exception {
        Child server = start(Child.plain());
        Child squatter = start(Child.jfs());
        Child client = start(Child.jfs());
        squatter.ask("listen 127.0.0.1 0"); // loads its native library
        long port = server.ask("listen 127.0.0.1 0");
        squatter.begin("occupy jfs/1/" + LOOPBACK + ":" + port + "#0").isDone();
        String[] fallbacks = {null};
        for (int i = 1; i < 10 && !client.fallbacks().contains("STALE"); i++) { // it tries for a second at most
            connect(client, server, port);
            Child.Order follow = server.begin("follow");
            client.ask("lead 5");
            follow.isDone();
            client.begin("negotiated").isDone(); // it has tried
            server.begin("close").isDone();
            int decided = i;
            Await.until(() -> "a reason more, but " + fallbacks[0], () -> {
                fallbacks[0] = client.fallbacks();
                return Stream.of(fallbacks[0].replaceAll("[^0-9,]", "").split(",")).filter(count -> !count.isEmpty())
                        .mapToInt(Integer::parseInt).sum() == decided;
            });
        }
        assertTrue(fallbacks[0].contains("STALE"), fallbacks[0]);
    }
}
