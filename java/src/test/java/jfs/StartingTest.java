package jfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No lambda and no method reference on the way from the JVM's start to the first fast connection (docs/design/jvm.md). */
class StartingTest {

    /** Classes that are not loaded before the first fast connection. */
    private static final List<String> ELSEWHERE = List.of(
            "jfs/management/JoinedConnections.", "jfs/management/Notifier.", "jfs/management/OpenConnections.",
            "jfs/management/SocketsBean.", // in a JVM with an MBean server
            "jfs/mx/", "jfs/transport/mx/", "jfs/transport/tcp/Channel", // between hosts; channels, if the JDK's sockets are out of reach
            "jfs/negotiation/handshake/remote/", "jfs/negotiation/policy/Rule."); // hosts that a rule names

    /** Classes with lambdas that are loaded before the first fast connection. The comments behind them say what uses the lambdas later. */
    private static final Set<String> NOT_THERE = Set.of(
            "jfs/connection/BackOff", // after a failed offer
            "jfs/JFSSocketImplFactory", // walks over the stack: after attaching, or with a proxy or a security manager
            "jfs/negotiation/policy/Rules", // a file of rules, and its texts
            "jfs/negotiation/handshake/local/TcpOwners", // without sock_diag
            "jfs/ring/RingSender", // queues
            "jfs/sisci/Retries", "jfs/sisci/SciSegment", // a segment that is in use, a card
            "jfs/stat/Stats", "jfs/transport/tcp/OtherConnections", // the summary
            "jfs/transport/sci/SenderMemory", // the first trim, after seconds
            "jfs/transport/tcp/HostInfo"); // messages of exceptions over channels

    @Test
    void noLambdaOnTheWayToTheFirstConnection() throws IOException {
        Path root = Path.of("target", "classes");
        Set<String> with = new TreeSet<>();
        try (Stream<Path> files = Files.walk(root.resolve("jfs"))) {
            for (Path file : files.filter(it -> it.toString().endsWith(".class")).collect(Collectors.toList())) {
                if (Files.readString(file, StandardCharsets.ISO_8859_1).contains("java/lang/invoke/LambdaMetafactory")) {
                    String name = root.relativize(file).toString();
                    with.add(name.substring(0, name.length() - ".class".length()));
                }
            }
        }
        assertFalse(with.isEmpty()); // else the search itself does not work
        with.removeIf(name -> ELSEWHERE.stream().anyMatch((name + '.')::startsWith));
        assertEquals(new TreeSet<>(NOT_THERE), with);
    }
}
