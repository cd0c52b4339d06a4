package jfs.launcher.selftest;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import jfs.config.Transports;
import jfs.nativelib.Posix;
import jfs.negotiation.handshake.Nonces;
import jfs.negotiation.handshake.Versions;
import jfs.negotiation.policy.MappedAddress;
import jfs.spi.Transport;
import jfs.spi.TransportProvider;
import jfs.transport.BuiltIn;

/**
 * What JFS uses of the kernel. Each check makes the system calls that JFS makes, because a filter of system calls (seccomp) may refuse what
 * the version of the kernel promises.
 */
final class KernelChecks {

    private static final String ALLOW = "Allow this system call in the seccomp profile of the container or service.";
    private static final int ENOSYS = 38;
    private static final String NETLINK = "Allow socket(AF_NETLINK) in the seccomp profile, or use a kernel that has inet_diag.";

    private KernelChecks() {
    }

    /** @param natives whether the native library is loaded; without it only the version can be told */
    static List<Finding> all(boolean natives, SettingsChecks settings) {
        List<Finding> all = new ArrayList<>();
        all.add(Finding.ok("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version")));
        if (natives) {
            all.add(memory(settings));
            all.add(unixSockets());
            all.add(epoll());
            all.add(futex());
            all.add(socketOwners());
        }
        return all;
    }

    /** Makes the memory of one connection as an offer does, and frees it again: memfd_create, ftruncate, mmap, madvise. */
    private static Finding memory(SettingsChecks settings) {
        String title = "shared memory";
        TransportProvider provider = Transports.ofThisHost(BuiltIn.TRANSPORTS);
        try {
            Transport transport = provider.open(settings.transports().settings());
            transport.offer(Versions.OURS.newest(), Nonces.next(), null).abandon();
            return Finding.ok(title, "the memory of a connection can be made");
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            return Finding.failed(title, "the memory of a connection can't be made: " + e.getMessage(),
                    "The text names the call that fails: allow it in the seccomp profile of the container or service, or raise the limit.");
        }
    }

    /** Two processes find each other by abstract Unix sockets. */
    private static Finding unixSockets() {
        String title = "Unix sockets";
        String name = "jfs/selftest/" + Long.toHexString(Nonces.next());
        int listener = Posix.unixListen(name, 1);
        int client = listener < 0 ? listener : Posix.unixConnect(null, name);
        int accepted = client < 0 ? client : Posix.accept(listener);
        long told = accepted < 0 ? accepted : Posix.peerCredentials(accepted);
        for (int fd : new int[] {listener, client, accepted}) {
            if (fd >= 0) {
                Posix.close(fd);
            }
        }
        return told < 0 && told > -4096
                ? Finding.failed(title, "a socket of the kind AF_UNIX can't be used: " + Posix.errorText((int) -told),
                        "Allow socket(AF_UNIX) in the seccomp profile of the container or service.")
                : Finding.ok(title, "abstract names can be used");
    }

    private static Finding epoll() {
        int epoll = Posix.epollCreate();
        int event = epoll < 0 ? epoll : Posix.eventCreate();
        int added = event < 0 ? event : Posix.epollAdd(epoll, event, Posix.POLLIN, 1);
        for (int fd : new int[] {epoll, event}) {
            if (fd >= 0) {
                Posix.close(fd);
            }
        }
        return added < 0 ? Finding.failed("epoll", "epoll or eventfd can't be used: " + Posix.errorText(-added), ALLOW)
                : Finding.ok("epoll", "epoll and eventfd can be used");
    }

    /** A wait that must not sleep, because the word has another value. */
    private static Finding futex() {
        String title = "futex_waitv";
        ByteBuffer word = ByteBuffer.allocateDirect(64);
        ByteBuffer own = ByteBuffer.allocateDirect(64);
        int status = Posix.futexWait(word, 0, 1, own, 0, 0);
        if (status == -Posix.EAGAIN) {
            return Finding.ok(title, "can be used");
        }
        String why = status == -ENOSYS ? "the kernel does not have it, or a seccomp profile refuses it"
                : "refused: " + Posix.errorText(-status);
        return Finding.issue(title, why + "; sleeping threads are woken by way of a descriptor, which takes longer",
                "Use Linux 5.16 or later, and a seccomp profile that knows futex_waitv.");
    }

    /** The two ends of a connection prove by this that they hold it. */
    private static Finding socketOwners() {
        String title = "sock_diag";
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
                Socket accepted = listener.accept()) {
            byte[] tuple = new byte[Posix.TUPLE_BYTES];
            ByteBuffer out = ByteBuffer.wrap(tuple);
            put(out, client.getLocalSocketAddress());
            put(out, client.getRemoteSocketAddress());
            long[] owner = new long[3];
            int status = Posix.tcpOwner(tuple, owner);
            if (status < 0) {
                return Finding.issue(title, "the kernel does not tell who has a TCP socket: " + Posix.errorText(-status)
                        + "; JFS reads /proc for it, which fails for processes of other users (UNPROVEN)", NETLINK);
            }
            return owner[2] != 0 ? Finding.ok(title, "the kernel tells who has a TCP socket")
                    : Finding.issue(title, "the kernel is older than Linux 5.0, and processes can't show tokens at their TCP sockets;"
                            + " JFS reads /proc instead, which fails for processes of other users (UNPROVEN)", "Use Linux 5.0 or later.");
        } catch (IOException e) {
            return Finding.failed("TCP on the loopback interface", e.toString(), "Set the loopback interface up: ip link set lo up.");
        }
    }

    private static void put(ByteBuffer out, SocketAddress end) {
        InetSocketAddress address = (InetSocketAddress) end;
        out.put(MappedAddress.of(address.getAddress())).putInt(0).putInt(address.getPort());
    }
}
