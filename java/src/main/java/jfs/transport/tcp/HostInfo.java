package jfs.transport.tcp;

import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.security.Security;
import java.util.Arrays;

/**
 * What exception messages may tell of hosts, by the system or security property {@code jdk.includeInExceptions}. This is for
 * exceptions that the JDK would make below {@code java.net}, and that JFS makes where it works over channels. The channels'
 * own exceptions follow the property already.
 */
final class HostInfo {

    /** From JDK 25 on the property also applies to names that messages always had before. */
    private static final boolean IS_JDK_25 = Runtime.version().feature() >= 25;
    private static final boolean OF_SOCKETS = isIncluded("hostInfo");
    private static final boolean OF_OTHERS = !IS_JDK_25 || OF_SOCKETS || isIncluded("hostInfoExclSocket");

    private HostInfo() {
    }

    private static boolean isIncluded(String what) {
        String included = System.getProperty("jdk.includeInExceptions");
        if (included == null) {
            included = Security.getProperty("jdk.includeInExceptions");
        }
        return included != null && Arrays.stream(included.split(",")).anyMatch(each -> each.trim().equalsIgnoreCase(what));
    }

    static UnknownHostException unknownHost(String name) {
        return new UnknownHostException(OF_OTHERS ? name : "");
    }

    /** For a SOCKS 4 proxy, which can't resolve names. */
    static UnknownHostException unresolved(InetSocketAddress target) {
        return new UnknownHostException(!IS_JDK_25 || OF_SOCKETS ? target.toString() : "");
    }

    /** For an IPv6 address where there is only IPv4. */
    static SocketException noIpv6() {
        return new SocketException(IS_JDK_25 ? "IPv6 protocol family unavailable" : "Protocol family unavailable");
    }

    static SocketException noIpv6(InetSocketAddress remote) {
        SocketException e = noIpv6();
        return OF_SOCKETS ? new SocketException(e.getMessage() + ": " + remote) : e;
    }
}
