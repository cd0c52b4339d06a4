package jfs.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The name of a library of Netty's tells its transport, and the property that keeps Netty from it. */
class NettyLibrariesTest {

    private static String text(String netty, String transport, String property) {
        return netty + " has loaded its native transport " + transport + ": JFS can't reach connections that use it, and with -D" + property
                + "=true Netty uses SocketChannel";
    }

    @Test
    void nettysOwn() {
        assertEquals(List.of(text("Netty", "epoll", "io.netty.transport.noNative")),
                NettyLibraries.among(Set.of("libnetty_transport_native_epoll_x86_643356685984839763937.so (deleted)")));
        assertEquals(List.of(text("Netty", "epoll", "io.netty.transport.noNative"),
                text("Netty", "io_uring", "io.netty.transport.noNative")),
                NettyLibraries.among(Set.of("libnetty_transport_native_io_uring42_x86_64123.so",
                        "libnetty_transport_native_epoll_aarch_64.so", "libnetty_transport_native_epoll_x86_64456.so (deleted)")));
    }

    @Test
    void copiesOfNetty() {
        assertEquals(List.of(text("io.grpc.netty.shaded.io.netty", "epoll", "io.grpc.netty.shaded.io.netty.transport.noNative")),
                NettyLibraries.among(Set.of("libio_grpc_netty_shaded_netty_transport_native_epoll_x86_648447995721010.so (deleted)")));
        assertEquals(List.of(text("my_own.copy_1.io.netty", "epoll", "my_own.copy_1.io.netty.transport.noNative")),
                NettyLibraries.among(Set.of("libmy_1own_copy_11_netty_transport_native_epoll_x86_641.so")));
    }

    @Test
    void otherFiles() {
        assertEquals(List.of(), NettyLibraries.among(Set.of("libnetty_tcnative_linux_x86_641.so",
                "libnetty_transport_native_kqueue_x86_64.jnilib", "netty_transport_native_epoll.jar", "libnio.so", "modules", "")));
    }
}
