package jfs.conformance.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Commands;
import jfs.testing.Effort;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Resources that the system refuses to one of two processes from its start on. */
class RefusedResourcesTest extends Shortages {

    private static final String NOBODY = "the peer is not running JFS, or not in this network namespace";

    /** The reason that an end reports for its connections; null if there is none because they are fast. */
    record Says(String reason, String detail) {
        String counted(int times) {
            return "{" + reason + "=" + times + "}";
        }
    }

    private static Says resources(String detail) {
        return new Says("NO_RESOURCES", detail);
    }

    private static final Says NO_OFFER = new Says("NO_OFFER",
            "the client made no offer: it is not running JFS, or had its own reason");

    /** What is refused, to which end, and what client and server report then. */
    private record Refusal(List<String> under, End to, Says client, Says server) {
        @Override
        public String toString() {
            return String.join(" ", under.subList(1, under.size())).replace(" --", "") + " for the "
                    + to.name().toLowerCase();
        }
    }

    private static Refusal toClient(Says client, String... under) {
        return new Refusal(List.of(under), End.CLIENT, client, client == null ? null : NO_OFFER);
    }

    /** A server without a rendezvous looks like a program without JFS. */
    private static Refusal toListener(Says server, String... under) {
        return new Refusal(List.of(under), End.SERVER, new Says("NO_PEER", NOBODY), server);
    }

    /** A server with a rendezvous tells its clients. */
    private static Refusal toAcceptor(Says server, String... under) {
        return new Refusal(List.of(under), End.SERVER, server == null ? null : resources(PEER), server);
    }

    static Stream<Arguments> refusals() {
        List<Refusal> all = new ArrayList<>();
        // A security profile of a container or of systemd answers with EPERM or ENOSYS.
        String[] noMemfd = refusing("memfd_create=EPERM");
        all.add(toClient(resources("SCICreateSegment: memfd_create: Operation not permitted"), noMemfd));
        String[] noUnixSockets = refusing("socket:0==1=EACCES"); // so there are no abstract names either
        all.add(toClient(resources("connecting to a name: Permission denied"), noUnixSockets));
        all.add(toListener(resources("name of a listening socket: Permission denied"), noUnixSockets));
        String[] noWatches = refusing("epoll_ctl=ENOSPC"); // the limit in /proc/sys/fs/epoll/max_user_watches
        all.add(toClient(resources("epoll_ctl: No space left on device"), noWatches));
        all.add(toListener(resources("epoll_ctl: No space left on device"), noWatches));
        String[] noPages = refusing("madvise:2==23=EFAULT"); // MADV_POPULATE_WRITE fails where a touch would be a SIGBUS
        all.add(toClient(resources("no memory for a region's pages: madvise: Bad address"), noPages));
        all.add(toAcceptor(resources("no memory for a region's pages: madvise: Bad address"), noPages));
        String[] smallFiles = {"prlimit", "--fsize=1000000"};
        all.add(toClient(resources("SCICreateSegment: ftruncate: File too large"), smallFiles));
        int some = all.size();
        all.add(toClient(resources("SCICreateSegment: memfd_create: Function not implemented"), refusing("memfd_create=ENOSYS")));
        all.add(toAcceptor(null, noMemfd)); // the process that makes the offer makes the region
        all.add(toAcceptor(null, smallFiles));
        String[] noEpoll = refusing("epoll_create1=EMFILE");
        all.add(toClient(resources("epoll or eventfd: Too many open files"), noEpoll));
        all.add(toListener(resources("epoll or eventfd: Too many open files"), noEpoll));
        String[] oldKernel = refusing("madvise:2==23=EINVAL");
        all.add(toClient(null, oldKernel));
        all.add(toAcceptor(null, oldKernel));
        return all.stream().limit(Effort.of(some, all.size())).map(Arguments::of);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refusals")
    void connectionsWorkWithoutTheRefusedResource(Refusal it) throws Exception {
        String[] under = it.under.toArray(String[]::new);
        Commands.assume("such a refusal", Stream.concat(it.under.stream(), Stream.of("true")).toArray(String[]::new));
        Child server = start(it.to == End.SERVER ? logging().under(under) : logging());
        Child client = start(it.to == End.CLIENT ? logging().under(under) : logging());
        long port = server.ask("listen 127.0.0.1 0");
        connect(client, server, port);
        if (it.client == null) {
            converse(client, server);
            isFast(client, server);
            talkAboutEverything(client, server);
            assertEquals("{}", client.fallbacks());
            assertEquals("{}", server.fallbacks());
        } else {
            staysOnTcp(client, it.client.counted(1), server, it.server.counted(1));
            says(client, it.client.reason, it.client.detail);
            says(server, it.server.reason, it.server.detail);
        }
        nothingIsLeft(client, server, port);
    }
}
