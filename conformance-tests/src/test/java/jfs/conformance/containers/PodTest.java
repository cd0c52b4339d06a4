package jfs.conformance.containers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Children;
import jfs.testing.Await;
import jfs.testing.OnOldestJdk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two containers of one pod. Each has its own PID, mount, IPC and user namespaces, Docker's filter of system calls, a root file system that
 * can't be written to, and a full /dev/shm.
 */
@OnOldestJdk
class PodTest extends Children {

    private static final String NO_NUMBER = "FOREIGN_USER: the peer's user has no number in this process's user namespace"
            + " (the kernel shows 65534), so jfs.allow.uids can't name it";
    private static final String REFUSED = "jfs: an offer was refused, perhaps not the only one: ";

    /** The two ends have a fast path, both switch, and no connection has stayed on TCP. */
    private static void areFast(Child client, Child server) {
        connect(client, server);
        converse(client, server);
        assertTrue(client.ask("attached") > 0 && server.ask("attached") > 0);
        talkAboutEverything(client, server);
        assertEquals("{}", client.fallbacks());
        assertEquals("{}", server.fallbacks());
    }

    /** Rootless: the system's user is not root, and each container's is. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shareMemory(boolean rootless) throws Exception {
        String[] container = Pod.rootOfItself(rootless);
        Pod.assume(container);
        areFast(start(Pod.peer(container)), start(Pod.peer(container)));
    }

    /** JFS finds its native library in a folder of the image (jfs.native.dir), and unpacks nothing. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shareMemoryWithoutATemporaryFolder(boolean rootless) throws Exception {
        String[] container = Pod.rootOfItself(rootless);
        Pod.assume(container);
        areFast(start(Pod.peer(container).with("-Djava.io.tmpdir=/usr")), start(Pod.peer(container).with("-Djava.io.tmpdir=/nowhere")));
    }

    /** A sidecar in the host's namespaces, such as a process of the same user outside of all containers. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneContainerAndAProcessOutside(boolean inside) throws Exception {
        String[] container = Pod.rootOfItself(false);
        Pod.assume(container);
        areFast(start(inside ? Pod.peer(container) : Child.jfs()), start(inside ? Child.jfs() : Pod.peer(container)));
    }

    /** Two users of the system, each root of its own user namespace: neither kernel number means anything to the other. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void usersOfDifferentNamespacesCanNotBeAllowed(boolean rootlessClient) throws Exception {
        String[] root = Pod.rootOfItself(false);
        String[] rootless = Pod.rootOfItself(true);
        Pod.assume(root);
        Pod.assume(rootless);
        Child client = start(Pod.peer(rootlessClient ? rootless : root).with("-Djfs.allow.uids=0,1"));
        Child server = start(Pod.peer(rootlessClient ? root : rootless).with("-Djfs.allow.uids=0,1"));
        connect(client, server);
        staysOnTcp(client, "{FOREIGN_USER=1}", server, "{NO_OFFER=1}");
        says(client, NO_NUMBER);
        says(server, REFUSED + NO_NUMBER.substring(NO_NUMBER.indexOf(' ') + 1));
    }

    /** Containers without user namespaces of their own, as Docker and most pods have them. */
    @Test
    void usersOfOneNamespaceAllowEachOther() throws Exception {
        String[] root = Pod.userOfTheSystem(0);
        String[] user = Pod.userOfTheSystem(Pod.USER);
        Pod.assume(root);
        Pod.assume(user);
        areFast(start(Pod.peer(user).with("-Djfs.allow.uids=0")), start(Pod.peer(root).with("-Djfs.allow.uids=" + Pod.USER)));
    }

    /** Each end says which setting is missing where. */
    @ParameterizedTest
    @CsvSource({"none", "client"})
    void usersWhoAreNotAllowed(String allows) throws Exception {
        String[] root = Pod.userOfTheSystem(0);
        String[] user = Pod.userOfTheSystem(Pod.USER);
        Pod.assume(root);
        Pod.assume(user);
        boolean clientAllows = allows.equals("client");
        Child server = start(Pod.peer(root));
        Child client = start(clientAllows ? Pod.peer(user).with("-Djfs.allow.uids=0") : Pod.peer(user));
        connect(client, server);
        staysOnTcp(client, clientAllows ? "{HUNG_UP=1}" : "{FOREIGN_USER=1}", server, "{NO_OFFER=1}");
        says(client, clientAllows
                ? "HUNG_UP: the peer runs as user 0 and hung up: jfs.allow.uids there does not name user 1, or can't"
                : "FOREIGN_USER: the listener's name belongs to a process of user 0, whom jfs.allow.uids of this process does not name");
        says(server, REFUSED + "the peer runs as user 1, whom jfs.allow.uids of this process does not name");
    }

    private static void says(Child child, String text) throws Exception {
        Await.until(() -> text + " in" + child.log(), () -> child.log().contains(text));
    }
}
