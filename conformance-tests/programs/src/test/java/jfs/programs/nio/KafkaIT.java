package jfs.programs.nio;

import jfs.programs.harness.How;
import jfs.programs.harness.Program;
import jfs.programs.harness.ReservedPort;
import org.junit.jupiter.api.Test;
import programs.kafka.Client;
import programs.kafka.Server;

/** Apache Kafka: a broker, which sends its files by {@code FileChannel.transferTo}, and a client. */
class KafkaIT {

    private static Program.Start java(How how, Class<?> main, String... arguments) {
        return Program.java(how, main, arguments).using("kafka", "scala", "slf4j", "log4j", "jackson", "metrics-core-2", "jopt", "jose4j",
                "argparse4j", "lz4", "snappy", "zstd", "re2j", "pcollections", "caffeine", "commons-validator", "HdrHistogram", "hash4j",
                "snakeyaml");
    }

    @Test
    void recordsAreWrittenAndRead() throws Exception {
        try (ReservedPort broker = new ReservedPort(); ReservedPort controller = new ReservedPort()) {
            new Pair((how, none) -> java(how, Server.class, "" + broker.number(), "" + controller.number()),
                    (how, ports) -> java(how, Client.class, ports)).assertSame("done");
        }
    }
}
