package jfs.transport.tcp;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The native transports of Netty. Their connections are made by a native library, which JFS can't reach. Netty loads a library when the
 * program first asks for the transport, and not if a system property of Netty's says so.
 *
 * <p>A program may have a copy of Netty in a package of its own, such as gRPC's {@code io.grpc.netty.shaded.io.netty}. Netty requires that
 * the name of the copy's library begins with what stands before {@code io.netty} in the name of its package: {@code _} for a dot, and
 * {@code _1} for {@code _}. The tools that make such copies put the same before the names of Netty's properties. So the library's name
 * tells the property.
 */
public final class NettyLibraries {

    private static final String BEGIN = "lib";
    private static final String NAME = "netty_transport_native_";
    private static final List<String> TRANSPORTS = List.of("epoll", "io_uring");

    private NettyLibraries() {
    }

    /**
     * Looks for these libraries. Netty loads a library from a copy in a temporary folder, whose name goes on with the processor's
     * architecture and a random number.
     *
     * @param files the names of the files that the process has mapped
     * @return for each library a text that has its transport and the property that keeps Netty from it, sorted
     */
    public static List<String> among(Set<String> files) {
        Set<String> texts = new TreeSet<>();
        for (String file : files) {
            int end = file.indexOf(NAME);
            if (end >= 0 && file.startsWith(BEGIN)) {
                String rest = file.substring(end + NAME.length());
                for (String transport : TRANSPORTS) {
                    if (rest.startsWith(transport)) {
                        texts.add(text(transport, packageOf(file.substring(BEGIN.length(), end))));
                    }
                }
            }
        }
        return new ArrayList<>(texts);
    }

    private static String text(String transport, String before) {
        return (before.isEmpty() ? "Netty" : before + "io.netty") + " has loaded its native transport " + transport
                + ": JFS can't reach connections that use it, and with -D" + before
                + "io.netty.transport.noNative=true Netty uses SocketChannel";
    }

    /** What a library's name begins with, as the beginning of a package's name. */
    private static String packageOf(String beginning) {
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < beginning.length(); i++) {
            char c = beginning.charAt(i);
            if (c == '_' && i + 1 < beginning.length() && beginning.charAt(i + 1) == '1') {
                name.append('_');
                i++;
            } else {
                name.append(c == '_' ? '.' : c);
            }
        }
        return name.toString();
    }
}
