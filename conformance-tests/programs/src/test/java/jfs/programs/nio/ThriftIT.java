package jfs.programs.nio;

import jfs.programs.harness.Program;
import org.junit.jupiter.api.Test;
import programs.thrift.Client;
import programs.thrift.Server;

/** Apache Thrift: a client on sockets of TNonblockingServer and THsHaServer, which use channels. */
class ThriftIT {

    private static final String[] LIBRARIES = {"libthrift", "slf4j", "http", "commons-lang3"};

    @Test
    void aSocketCallsServersOnChannels() throws Exception {
        new Pair((how, none) -> Program.java(how, Server.class).using(LIBRARIES),
                (how, ports) -> Program.java(how, Client.class, ports).using(LIBRARIES)).assertSame("done");
    }
}
