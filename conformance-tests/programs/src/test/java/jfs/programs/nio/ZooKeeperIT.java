package jfs.programs.nio;

import jfs.programs.harness.How;
import jfs.programs.harness.Program;
import org.junit.jupiter.api.Test;
import programs.zookeeper.Client;
import programs.zookeeper.Server;

/** Apache ZooKeeper, server and client. */
class ZooKeeperIT {

    private static Program.Start java(How how, Class<?> main, String... arguments) {
        return Program.java(how, main, arguments).using("zookeeper", "netty", "metrics-core-4", "slf4j", "commons-io", "snappy")
                .with("-Dzookeeper.forceSync=no");
    }

    @Test
    void nodesAndWatches() throws Exception {
        new Pair((how, none) -> java(how, Server.class), (how, ports) -> java(how, Client.class, ports))
                .assertSame("done");
    }
}
