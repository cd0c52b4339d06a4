package jfs.programs.nio;

import jfs.programs.harness.How;
import jfs.programs.harness.Program;
import org.junit.jupiter.api.Test;
import programs.netty.Client;
import programs.netty.Server;

/** Netty's NIO transport at both ends: bytes, and HTTP by Netty's codec. */
class NettyIT {

    private static Program.Start java(How how, Class<?> main, String... arguments) {
        return Program.java(how, main, arguments).using("netty", "slf4j").with("-Dio.netty.noUnsafe=true")
                .with("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED"); // so that Netty puts its own key set into the selector
    }

    @Test
    void bytesAndHttp() throws Exception {
        new Pair((how, none) -> java(how, Server.class), (how, ports) -> java(how, Client.class, ports))
                .assertSame("done");
    }
}
