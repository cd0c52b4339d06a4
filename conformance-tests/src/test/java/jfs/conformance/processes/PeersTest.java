package jfs.conformance.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Children;
import jfs.conformance.harness.processes.Commands;
import jfs.testing.Await;
import jfs.testing.Jdks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pairs of processes of several kinds: what they send each other, and the reason if they stay on TCP. */
class PeersTest extends Children {

    @Test
    void twoProcessesWithJfs() throws Exception {
        Child server = start(Child.jfs());
        Child client = start(Child.jfs());
        connect(client, server);
        converse(client, server);
        talkAboutEverything(client, server);
        assertEquals("{}", client.fallbacks());
        assertEquals("{}", server.fallbacks());
    }

    /** A conversation is offered only after it has lasted for a while. A short one costs no offer. */
    @Test
    void aConversationThatHasLasted() throws Exception {
        Child server = start(Child.jfs());
        Child client = start(Child.jfs().with("-Djfs.upgrade.after=100"));
        connect(client, server);
        Child.Order follow = server.begin("follow");
        client.ask("lead 100"); // the first request follows no answer, so it is no turnaround
        follow.isDone();
        assertEquals("none", client.tell("negotiates"), "nothing has been begun");
        converse(client, server);
        assertEquals(1, client.ask("offers"));
    }

    @Test
    void bothWriteThreeMegabytesBeforeTheyRead() throws Exception {
        Child server = start(Child.jfs());
        Child client = start(Child.jfs());
        connect(client, server);
        converse(client, server);
        Child.Order write = server.begin("write 1 3000000");
        client.begin("write 2 3000000").isDone();
        write.isDone();
        client.begin("read 1 3000000").isDone();
        server.begin("read 2 3000000").isDone();
    }

    @Test
    void aPlainServer() throws Exception {
        Child server = start(Child.plain());
        Child client = start(Child.jfs());
        connect(client, server);
        staysOnTcp(client, "{NO_PEER=1}", server);
    }

    @Test
    void aPlainClient() throws Exception {
        Child server = start(Child.jfs());
        Child client = start(Child.plain());
        connect(client, server);
        talkAboutEverything(client, server);
        assertEquals("{NO_OFFER=1}", server.fallbacks());
        assertEquals(0, server.ask("switched"));
    }

    private static final String OVER_CHANNELS = "jfs.transport.tcp.NioConnection";

    /** Moves one byte and checks the stack of the thread that waits for it. */
    private static boolean readsOverChannels(Child reader, Child writer) {
        Child.Order read = reader.begin("read 9 1").blocked();
        boolean overChannels = read.stack().contains(OVER_CHANNELS);
        writer.begin("write 9 1").isDone();
        read.isDone();
        return overChannels;
    }

    @Test
    void aClientWithoutTheNativeLibrary() throws Exception {
        Child server = start(Child.jfs());
        Child client = start(Child.jfsWithNatives("/nonexistent"));
        assertEquals("native library: /nonexistent/libjfs_jni.so does not exist", client.tell("unavailable"));
        connect(client, server);
        assertTrue(readsOverChannels(client, server));
        assertFalse(readsOverChannels(server, client), "over the JDK's own sockets");
        talkAboutEverything(client, server);
        assertEquals("{UNAVAILABLE=1}", client.fallbacks());
        assertEquals("{NO_OFFER=1}", server.fallbacks());
    }

    @Test
    void aServerWithoutTheNativeLibrary() throws Exception {
        Child server = start(Child.jfsWithNatives("/nonexistent"));
        Child client = start(Child.jfs());
        connect(client, server);
        assertTrue(readsOverChannels(server, client));
        staysOnTcp(client, "{NO_PEER=1}", server, "{UNAVAILABLE=1}");
    }

    /** A plain peer notices no difference. */
    @Test
    void aClientWithoutTheNativeLibraryAndAPlainServer() throws Exception {
        Child server = start(Child.plain());
        Child client = start(Child.jfsWithNatives("/nonexistent"));
        connect(client, server);
        assertTrue(readsOverChannels(client, server));
        talkAboutEverything(client, server);
        assertEquals("{UNAVAILABLE=1}", client.fallbacks());
    }

    /** Shared memory works beside any implementation of TCP. */
    @Test
    void aClientOverChannels() throws Exception {
        Child server = start(Child.jfs());
        Child client = start(Child.jfs().with("-Djfs.tcp=nio"));
        connect(client, server);
        assertTrue(readsOverChannels(client, server));
        converse(client, server);
        talkAboutEverything(client, server);
        assertEquals("{}", client.fallbacks());
    }

    @Test
    void aServerOverChannels() throws Exception {
        Child server = start(Child.jfs().with("-Djfs.tcp=nio"));
        Child client = start(Child.jfs());
        connect(client, server);
        assertTrue(readsOverChannels(server, client));
        converse(client, server);
        talkAboutEverything(client, server);
        assertEquals("{}", server.fallbacks());
    }

    @Test
    void transportsSwitchedOff() throws Exception {
        Child server = start(Child.jfs());
        Child client = start(Child.jfs().with("-Djfs.transport=tcp"));
        connect(client, server);
        talkAboutEverything(client, server);
        assertEquals("{TRANSPORT_OFF=1}", client.fallbacks());
        assertEquals("{NO_OFFER=1}", server.fallbacks());
    }

    /** The namespaces have no names, so that nothing is left of them. */
    @ParameterizedTest
    @ValueSource(strings = {"# no rule", "connect 10.213.7.1 * sci"})
    void anotherNetworkNamespace(String rule, @TempDir Path folder) throws Exception {
        Commands.assume("a network namespace", "unshare", "--net", "ip", "link", "set", "lo", "up");
        Child server = start(Child.jfs().under("unshare", "--net"));
        Path rules = Files.writeString(folder.resolve("rules"), rule);
        Child client = start(Child.jfs().with("-Djfs.rules=" + rules).under("unshare", "--net"));
        client.tell("descriptors"); // the answers show that both are in their namespaces
        server.tell("descriptors");
        Commands.run("ip", "link", "add", "jfs0", "netns", "" + server.pid(), "type", "veth",
                "peer", "name", "jfs0", "netns", "" + client.pid());
        address(server, "10.213.7.1/24");
        address(client, "10.213.7.2/24");
        long port = server.ask("listen 0.0.0.0 0");
        Child.Order accept = server.begin("accept");
        assertEquals("done", client.tell("connect 10.213.7.1 " + port));
        accept.isDone();
        talkAboutEverything(client, server);
        assertEquals("{OTHER_HOST=1}", client.fallbacks());
        assertEquals("{NO_OFFER=1}", server.fallbacks());
    }

    private static void address(Child child, String address) throws Exception {
        String pid = "" + child.pid();
        Commands.run("nsenter", "--net", "--target", pid, "ip", "address", "add", address, "dev", "jfs0");
        Commands.run("nsenter", "--net", "--target", pid, "ip", "link", "set", "jfs0", "up");
    }

    static final String[] AS_ANOTHER_USER = {"setpriv", "--reuid=1", "--regid=1", "--clear-groups",
            // lets the process read the class path, wherever this build lies
            "--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"};

    private static final String[] AS_A_THIRD_USER = as(2);
    private static final String[] AS_THE_OVERFLOW_USER = as(65534);
    /** In a user namespace that knows no user. Every user is the overflow user there, the process's own included. */
    private static final String[] KNOWING_NOBODY = {"unshare", "--user"};
    /** In a user namespace that knows only its own user. */
    private static final String[] KNOWING_ITSELF = {"unshare", "--user", "--map-root-user"};

    private static String[] as(int user) {
        String[] command = AS_ANOTHER_USER.clone();
        command[1] = "--reuid=" + user;
        return command;
    }

    static void assumeAnotherUser() throws Exception {
        assume("another user", AS_ANOTHER_USER);
    }

    private static void assume(String what, String[] under) throws Exception {
        Commands.assume(what, Stream.concat(Stream.of(under), Stream.of("true")).toArray(String[]::new));
    }

    @Test
    void aServerOfAnotherUser() throws Exception {
        assumeAnotherUser();
        Child server = start(Child.jfs().under(AS_ANOTHER_USER));
        Child client = start(Child.jfs());
        connect(client, server);
        staysOnTcp(client, "{FOREIGN_USER=1}", server, "{NO_OFFER=1}");
    }

    @Test
    void aClientOfAnotherUser() throws Exception {
        assumeAnotherUser();
        Child server = start(Child.jfs());
        Child client = start(Child.jfs().under(AS_ANOTHER_USER));
        connect(client, server);
        staysOnTcp(client, "{FOREIGN_USER=1}", server, "{NO_OFFER=1}");
    }

    /** The server's log names each user whom it does not allow, though the first one comes twice. */
    @Test
    void clientsOfTwoOtherUsers() throws Exception {
        assumeAnotherUser();
        Child server = start(Child.jfs().with("-Djfs.log=fallback"));
        for (String[] user : new String[][] {AS_ANOTHER_USER, AS_ANOTHER_USER, AS_A_THIRD_USER}) {
            Child client = start(Child.jfs().under(user));
            connect(client, server);
            staysOnTcp(client, "{FOREIGN_USER=1}", server);
        }
        Await.until("the log names the third user", () -> server.log().contains("an offer was refused, perhaps not the only one: the peer"
                + " runs as user 2, "));
        assertEquals(1, server.log().split("the peer runs as user 1, ", -1).length - 1, server.log());
    }

    /** One user allows the other one. The other one hangs up. */
    @ParameterizedTest
    @ValueSource(strings = {"server", "client"})
    void aUserWhoAllowsAnother(String who) throws Exception {
        assumeAnotherUser();
        boolean isServer = who.equals("server");
        Child.Start allowing = Child.jfs().with("-Djfs.allow.uids=0").under(AS_ANOTHER_USER);
        Child server = start(isServer ? allowing : Child.jfs());
        Child client = start(isServer ? Child.jfs() : allowing);
        connect(client, server);
        staysOnTcp(client, isServer ? "{FOREIGN_USER=1}" : "{HUNG_UP=1}", server, "{NO_OFFER=1}");
    }

    @Test
    void usersWhoAllowEachOther() throws Exception {
        assumeAnotherUser();
        Child server = start(Child.jfs().with("-Djfs.allow.uids=1"));
        Child client = start(Child.jfs().with("-Djfs.allow.uids=0").under(AS_ANOTHER_USER));
        connect(client, server);
        converse(client, server);
        talkAboutEverything(client, server);
    }

    /** The overflow user's number does not identify a user. Both ends have their reason. */
    @ParameterizedTest
    @ValueSource(strings = {"server", "client"})
    void theOverflowUser(String who) throws Exception {
        assumeAnotherUser();
        boolean isServer = who.equals("server");
        Child.Start itself = Child.jfs().with("-Djfs.allow.uids=0").under(AS_THE_OVERFLOW_USER);
        Child server = start(isServer ? itself : Child.jfs());
        Child client = start(isServer ? Child.jfs() : itself);
        refuseEachOther(client, server);
    }

    /** Both processes have the same user, but neither can know that. */
    @Test
    void usersWithoutANumberInTheirNamespace() throws Exception {
        assume("a user namespace", KNOWING_NOBODY);
        Child server = start(Child.jfs().under(KNOWING_NOBODY));
        Child client = start(Child.jfs().under(KNOWING_NOBODY));
        refuseEachOther(client, server);
    }

    /** The other process allows this user but can't recognise it. */
    @ParameterizedTest
    @ValueSource(strings = {"server", "client"})
    void aUserFromOutsideTheNamespace(String who) throws Exception {
        assumeAnotherUser();
        assume("a user namespace", KNOWING_ITSELF);
        boolean isServer = who.equals("server");
        Child.Start inside = Child.jfs().with("-Djfs.allow.uids=1").under(KNOWING_ITSELF);
        Child.Start outside = Child.jfs().with("-Djfs.allow.uids=0").under(AS_ANOTHER_USER);
        refuseEachOther(start(isServer ? outside : inside), start(isServer ? inside : outside));
    }

    private static void refuseEachOther(Child client, Child server) throws Exception {
        connect(client, server);
        talkAboutEverything(client, server);
        // The client's own reason, or that the server has hung up, before or after the offer.
        Await.until("the client has its reason", () -> client.fallbacks().matches("\\{[A-Z_]+=1}"));
        assertEquals("{NO_OFFER=1}", server.fallbacks());
        assertEquals(0, client.ask("switched") + server.ask("switched"));
    }

    /** The server allows two users. One of them may not take over the other one's connection (NEG-2). */
    @Test
    void anOfferForAThirdUsersConnection() throws Exception {
        assumeAnotherUser();
        Child server = start(Child.jfs().with("-Djfs.allow.uids=1,2"));
        Child client = start(Child.jfs().under(AS_ANOTHER_USER).with("-Djfs.transport=tcp"));
        Child thief = start(Child.jfs().under(AS_A_THIRD_USER));
        long port = server.ask("listen 127.0.0.1 0");
        connect(client, server, port);
        server.tell("negotiated");
        String name = "jfs/1/00000000000000000000ffff7f000001:" + port + "#0";
        String end = "00000000000000000000ffff7f000001" + "00000000" + "%08x";
        String offer = "4a465331" + "01" + "01" + "00" + "000000000000002a"
                + end.formatted(client.ask("port")) + end.formatted(port) + "03" + "736369" + "00".repeat(20);
        for (Child each : new Child[] {thief, client}) {
            each.ask("listen 127.0.0.1 0"); // loads its native library
        }
        assertEquals("4a465331" + "01" + "02" + "01", thief.tell("say " + name + " " + offer), "not mine");
        assertTrue(client.tell("say " + name + " " + offer).startsWith("4a465331" + "01" + "02" + "02"), "declined: looked at");
        talkAboutEverything(client, server);
    }

    @Test
    void aServerOnAnotherJdk() throws Exception {
        Child server = start(Child.jfs().on(otherJdk()));
        Child client = start(Child.jfs());
        connect(client, server);
        converse(client, server);
        talkAboutEverything(client, server);
    }

    @Test
    void aClientOnAnotherJdk() throws Exception {
        Child server = start(Child.jfs());
        Child client = start(Child.jfs().on(otherJdk()));
        connect(client, server);
        converse(client, server);
        talkAboutEverything(client, server);
    }

    private static Path otherJdk() throws IOException {
        Optional<Path> other = Jdks.other();
        assumeTrue(other.isPresent(), "there is no other JDK, from 17 on, beside " + System.getProperty("java.home"));
        return other.get();
    }

    /** The kernel chooses the process, and the client has to find out which one. */
    @Test
    void twoServersOnOnePort() throws Exception {
        Child one = start(Child.jfs());
        Child two = start(Child.jfs());
        Child client = start(Child.jfs());
        long port = one.ask("listen 127.0.0.1 0");
        assertEquals(port, two.ask("listen 127.0.0.1 " + port));
        int ones = 0;
        int twos = 0;
        Child.Order acceptOne = one.begin("accept");
        Child.Order acceptTwo = two.begin("accept");
        for (int i = 0; i < 100 && (ones == 0 || twos == 0); i++) {
            assertEquals("done", client.tell("connect 127.0.0.1 " + port));
            boolean first = acceptOne.isAnsweredBefore(acceptTwo);
            Child server = first ? one : two;
            converse(client, server);
            client.begin("close").isDone();
            server.begin("close").isDone();
            if (first) {
                ones++;
                acceptOne = one.begin("accept");
            } else {
                twos++;
                acceptTwo = two.begin("accept");
            }
        }
        assertTrue(ones > 0 && twos > 0, ones + " and " + twos + " connections");
    }

    /** The second server keeps its second name. */
    @Test
    void theFirstOfTwoServersIsKilled() throws Exception {
        Child one = start(Child.jfs());
        Child two = start(Child.jfs());
        Child client = start(Child.jfs());
        long port = one.ask("listen 127.0.0.1 0");
        two.ask("listen 127.0.0.1 " + port);
        one.kill();
        one.awaitEnd();
        connect(client, two, port);
        converse(client, two);
    }

    /** The client shares a region with the first server, and offers the second one a place in it. */
    @Test
    void anotherServerHasTakenThePortOver() throws Exception {
        Child one = start(Child.jfs());
        Child two = start(Child.jfs());
        Child client = start(Child.jfs());
        long port = one.ask("listen 127.0.0.1 0");
        connect(client, one, port);
        converse(client, one);
        client.begin("keep").isDone();
        one.begin("keep").isDone();
        one.begin("closeListener").isDone();
        two.ask("listen 127.0.0.1 " + port);
        for (int i = 1; i <= 3; i++) {
            connect(client, two, port);
            converse(client, two);
            assertEquals(1 + i, client.ask("attached"));
            client.begin("keep").isDone();
            two.begin("keep").isDone();
        }
        assertEquals(3, two.ask("attached"));
        assertEquals("{}", client.fallbacks());
        client.begin("takeKept").isDone();
        one.begin("takeKept").isDone();
        talkAboutEverything(client, one);
    }

    /** The offer was made, but its outcome can't be known any more. */
    @Test
    void closedDuringTheOffer() throws Exception {
        Child server = start(Child.jfs());
        Child client = start(Child.jfs());
        long port = server.ask("listen 127.0.0.1 0");
        Commands.stop(server);
        try {
            assertEquals("done", client.tell("connect 127.0.0.1 " + port));
            client.begin("write 1 100000").isDone(); // leads to an offer, which is not answered
            client.begin("close").isDone();
            assertEquals("{STALE=1}", client.fallbacks());
        } finally {
            Commands.goOn(server);
        }
    }

    /** A client never waits for a server that is stopped, whatever JFS negotiates meanwhile. */
    @Test
    void aServerThatIsStopped() throws Exception {
        Child server = start(Child.jfs());
        Child client = start(Child.jfs());
        long port = server.ask("listen 127.0.0.1 0");
        Commands.stop(server);
        try {
            assertEquals("done", client.tell("connect 127.0.0.1 " + port));
            client.begin("write 1 1000000").isDone(); // enough for an offer, and fits TCP's buffers
        } finally {
            Commands.goOn(server);
        }
        server.begin("accept").isDone();
        server.begin("read 1 1000000").isDone();
        converse(client, server);
    }
}
