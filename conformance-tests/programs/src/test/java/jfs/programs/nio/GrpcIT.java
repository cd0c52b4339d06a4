package jfs.programs.nio;

import jfs.programs.harness.How;
import jfs.programs.harness.Program;
import org.junit.jupiter.api.Test;
import programs.grpc.Client;
import programs.grpc.Server;

/** gRPC on Netty's NIO transport at both ends. */
class GrpcIT {

    private static Program.Start java(How how, Class<?> main, String... arguments) {
        return Program.java(how, main, arguments).using("grpc", "netty", "guava", "failureaccess", "perfmark", "gson", "slf4j")
                .with("-Dio.netty.noUnsafe=true");
    }

    @Test
    void callsAndStreams() throws Exception {
        new Pair((how, none) -> java(how, Server.class), (how, ports) -> java(how, Client.class, ports))
                .assertSame("done");
    }
}
