package jfs.conformance.harness.processes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Names in the abstract namespace of Unix sockets. The kernel shows them with an "@". */
public final class Leftovers {

    /** A process of a node has this name as long as it exists. */
    private static final String NODE = "@sisci-shim/1/node/";

    private Leftovers() {
    }

    /** The names that a process holds for connections. */
    public static Set<String> namesOf(long pid) throws IOException {
        Set<String> sockets;
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            sockets = descriptors.map(Leftovers::target).filter(target -> target.startsWith("socket:["))
                    .map(target -> target.substring("socket:[".length(), target.length() - 1))
                    .collect(Collectors.toSet());
        }
        try (Stream<String> lines = Files.lines(Path.of("/proc/net/unix"))) {
            return lines.map(line -> line.trim().split("\\s+"))
                    .filter(words -> words.length == 8 && words[7].startsWith("@") && sockets.contains(words[6]))
                    .filter(words -> !words[7].startsWith(NODE))
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

    public static boolean anyOf(Set<String> names) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/net/unix"))) {
            return lines.anyMatch(line -> names.stream().anyMatch(line::endsWith));
        }
    }
}
