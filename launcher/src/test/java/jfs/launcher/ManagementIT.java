package jfs.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.tools.attach.VirtualMachine;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServerConnection;
import javax.management.Notification;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import jfs.launcher.Programs.Outcome;
import jfs.launcher.RecordingIT.Peer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The MXBean of JFS, read by another process, however JFS has come into the JVM. */
class ManagementIT {

    private static final String AGENT = RecordingIT.AGENT;

    @TempDir
    static Path classes;

    private static ObjectName name;

    @BeforeAll
    static void compile() throws Exception {
        Programs.compile(classes, Map.of("Peer", RecordingIT.PEER));
        name = new ObjectName("jfs:type=Sockets");
    }

    private static Peer peer(String... command) throws Exception {
        return new Peer(classes, List.of(command), "Peer");
    }

    private static Peer withAgent() throws Exception {
        return peer(AGENT, "-cp", classes.toString());
    }

    /** A JMX client of that process, in which this starts the JDK's management agent. */
    private static JMXConnector connect(Peer peer) throws Exception {
        VirtualMachine jvm = VirtualMachine.attach(peer.pid());
        try {
            return JMXConnectorFactory.connect(new JMXServiceURL(jvm.startLocalManagementAgent()));
        } finally {
            jvm.detach();
        }
    }

    /** Lets the pair talk until it is fast, and until the MXBean is there. */
    private static void assertFastAndRegistered(Peer client, MBeanServerConnection jmx) throws Exception {
        do {
            assertEquals("talked", client.tell("talk 50"));
        } while (!jmx.isRegistered(name) || !jmx.getAttribute(name, "FastConnections").equals(1)); // the test's time-out ends it
    }

    private static CompositeData connection(MBeanServerConnection jmx, String port) throws Exception {
        for (CompositeData it : (CompositeData[]) jmx.getAttribute(name, "Connections")) {
            if (it.get("peerPort").equals(Integer.parseInt(port)) || it.get("ownPort").equals(Integer.parseInt(port))) {
                return it;
            }
        }
        throw new AssertionError("no connection of port " + port);
    }

    /** What {@code status --json} writes of that connection, as far as the MXBean has it. */
    private static String json(CompositeData it) {
        return "{\"ownAddress\": " + quoted(it, "ownAddress") + ", \"ownPort\": " + it.get("ownPort") + ", \"peerAddress\": "
                + quoted(it, "peerAddress") + ", \"peerPort\": " + it.get("peerPort") + ", \"class\": " + quoted(it, "socketClass")
                + ", \"accepted\": " + it.get("accepted") + ", \"since\": " + it.get("since") + ", \"state\": " + quoted(it, "state")
                + ", \"transport\": " + quoted(it, "transport") + ", \"fast\": " + it.get("fast") + ", \"reason\": " + quoted(it, "reason")
                + ", \"why\": " + quoted(it, "why") + ", \"remedy\": " + quoted(it, "remedy") + ", \"in\": "
                + direction((CompositeData) it.get("in")) + ", \"out\": " + direction((CompositeData) it.get("out")) + "}";
    }

    private static String direction(CompositeData it) {
        return "{\"phase\": " + quoted(it, "phase") + ", \"bytes\": " + it.get("bytes") + ", \"overTcp\": " + it.get("overTcp")
                + ", \"polled\": " + it.get("polled") + ", \"slept\": " + it.get("slept") + ", \"bells\": " + it.get("bells") + "}";
    }

    private static String quoted(CompositeData data, String item) {
        Object value = data.get(item);
        return value == null ? "null" : "\"" + value + "\"";
    }

    private static String status(Peer peer) throws Exception {
        Outcome outcome = Programs.java(classes, Map.of(), List.of(), List.of("-jar", Programs.JAR, "status", peer.pid(), "--json"));
        assertEquals(0, outcome.exitCode(), outcome::err);
        return outcome.out();
    }

    @Test
    void withTheAgentItShowsWhatStatusShows() throws Exception {
        try (Peer server = withAgent(); Peer client = withAgent(); JMXConnector connector = connect(client)) {
            MBeanServerConnection jmx = connector.getMBeanServerConnection();
            String port = server.tell("listen");
            assertEquals("connected", client.tell("connect " + port));
            assertFastAndRegistered(client, jmx);
            CompositeData connection = connection(jmx, port);
            assertEquals(true, connection.get("fast"));
            assertEquals("sci", connection.get("transport"));
            String beyondTheBean = "\"(otherPid|ring)\": [0-9]+, |, \"waiting\": [0-9]+";
            String text = status(client).replaceAll(beyondTheBean, "");
            assertTrue(text.contains(json(connection)), () -> json(connection) + " is not in\n" + text);
            TabularData counters = (TabularData) jmx.getAttribute(name, "Counters");
            assertEquals(1L, counters.get(new Object[] {"attached"}).get("value"));
            assertTrue(text.contains("\"attached\": 1,"), text);
            assertEquals(0, jmx.getAttribute(name, "OutOfReach"));
            assertTrue(text.contains("\"outOfReach\": 0,"), text);
            assertNotNull(jmx.getAttribute(name, "Version"));
            assertTrue(((String) jmx.getAttribute(name, "Summary")).contains(" connections: 1 fast, "));
        }
    }

    @Test
    void aPlainConnectionHasItsReason() throws Exception {
        try (Peer server = peer("-cp", classes.toString()); Peer client = withAgent()) {
            String port = server.tell("listen");
            assertEquals("connected", client.tell("connect " + port));
            CompositeData connection = null;
            while (connection == null || connection.get("reason") == null) { // the test's time-out ends it
                client.tell("talk 10");
                try (JMXConnector connector = connect(client)) { // whose connection is an occasion for JFS to look
                    MBeanServerConnection jmx = connector.getMBeanServerConnection();
                    connection = jmx.isRegistered(name) ? connection(jmx, port) : null;
                }
            }
            assertEquals("NO_PEER", connection.get("reason"));
            assertTrue(((String) connection.get("why")).startsWith("NO_PEER: "));
            assertEquals("start the other program under JFS, in this network namespace, and connect without a proxy",
                    connection.get("remedy"));
        }
    }

    @Test
    void withTheLauncher() throws Exception {
        try (Peer server = withAgent();
                Peer client = peer("-Djfs.upgrade.after=1", "--enable-native-access=ALL-UNNAMED", "-jar", Programs.JAR, "run");
                JMXConnector connector = connect(client)) {
            assertEquals("connected", client.tell("connect " + server.tell("listen")));
            assertFastAndRegistered(client, connector.getMBeanServerConnection());
        }
    }

    /** The JVM has its MBean server before JFS comes. */
    @Test
    void afterAttaching() throws Exception {
        try (Peer server = withAgent(); Peer client = peer("-XX:+EnableDynamicAgentLoading", "-cp", classes.toString());
                JMXConnector connector = connect(client)) {
            MBeanServerConnection jmx = connector.getMBeanServerConnection();
            assertFalse(jmx.isRegistered(name));
            Outcome outcome = Programs.java(classes, Map.of(), List.of(),
                    List.of("-jar", Programs.JAR, "attach", client.pid(), "jfs.upgrade.after=1"));
            assertEquals(0, outcome.exitCode(), outcome::err);
            assertEquals("connected", client.tell("connect " + server.tell("listen")));
            assertFastAndRegistered(client, jmx);
        }
    }

    @Test
    void withFactoriesInCodeAndAtOnce() throws Exception {
        String path = Programs.JAR + ":" + classes;
        try (Peer client = new Peer(classes, List.of("--enable-native-access=ALL-UNNAMED", "-cp", path), "Peer", "install", "register");
                JMXConnector connector = connect(client)) {
            assertTrue(connector.getMBeanServerConnection().isRegistered(name));
            assertEquals(0, connector.getMBeanServerConnection().getAttribute(name, "FastConnections"));
        }
        try (Peer server = withAgent();
                Peer client = new Peer(classes, List.of("--enable-native-access=ALL-UNNAMED", "-cp", path), "Peer", "install");
                JMXConnector connector = connect(client)) {
            assertEquals("connected", client.tell("connect " + server.tell("listen")));
            assertFastAndRegistered(client, connector.getMBeanServerConnection());
        }
    }

    private static Notification next(BlockingQueue<Notification> told, String type, Object reason) throws InterruptedException {
        for (;;) {
            Notification it = told.poll(40, TimeUnit.SECONDS);
            assertNotNull(it, "no notification of " + type);
            if (it.getType().equals(type) && java.util.Objects.equals(((CompositeData) it.getUserData()).get("reason"), reason)) {
                return it;
            }
        }
    }

    @Test
    void notificationsArrive() throws Exception {
        try (Peer server = withAgent(); JMXConnector connector = connect(server)) {
            MBeanServerConnection jmx = connector.getMBeanServerConnection();
            String port = server.tell("listen");
            BlockingQueue<Notification> told = new LinkedBlockingQueue<>();
            try (Peer client = withAgent()) {
                client.tell("connect " + port);
                assertFastAndRegistered(client, jmx);
                jmx.addNotificationListener(name, (notification, handback) -> told.add(notification), null, null);
            } // kills it
            assertEquals("end", server.next());
            CompositeData death = (CompositeData) next(told, "jfs.death", null).getUserData();
            assertEquals(Integer.parseInt(port), death.get("ownPort"));
            assertEquals("in", death.get("direction"));
            try (Peer plain = peer("-cp", classes.toString())) {
                plain.tell("connect " + port);
                plain.tell("talk 1");
                plain.tell("close");
            }
            assertEquals("end", server.next());
            Notification fallback = next(told, "jfs.fallback", "NO_OFFER");
            assertTrue(fallback.getMessage().startsWith("jfs: the connection from 127.0.0.1 port "), fallback.getMessage());
            try (Peer client = withAgent()) {
                client.tell("connect " + port);
                assertFastAndRegistered(client, jmx);
            }
            CompositeData switched = (CompositeData) next(told, "jfs.switch", null).getUserData();
            assertEquals("sci", switched.get("transport"));
        }
    }
}
