package programs.kafka;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import programs.Console;
import programs.Folder;

/** A broker of Kafka. */
public final class Server {

    private static final String SETTINGS = """
            process.roles=broker,controller
            node.id=1
            controller.quorum.voters=1@%1$s:%3$s
            listeners=PLAINTEXT://%1$s:%2$s,CONTROLLER://%1$s:%3$s
            controller.listener.names=CONTROLLER
            log.dirs=%4$s
            num.network.threads=2
            num.io.threads=2
            broker.session.timeout.ms=120000
            offsets.topic.replication.factor=1
            offsets.topic.num.partitions=1
            group.initial.rebalance.delay.ms=0
            log.cleaner.dedupe.buffer.size=4000000
            """;

    private Server() {
    }

    /** Arguments: the port of the broker, the port of the controller. Writes the first one when the broker is ready. */
    public static void main(String[] args) throws Exception {
        Console.open();
        Console.sayProvider();
        try (Folder folder = new Folder()) {
            Path settings = folder.path().resolve("settings");
            Files.writeString(settings, SETTINGS.formatted(Console.address(), args[0], args[1], folder.path().resolve("data")));
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            int failed = StorageTool.execute(new String[] {"format", "-t", Uuid.randomUuid().toString(), "-c", settings.toString()},
                    new PrintStream(said, true));
            if (failed != 0) {
                throw new AssertionError(said.toString());
            }
            Properties properties = new Properties();
            properties.load(Files.newBufferedReader(settings));
            KafkaRaftServer server = new KafkaRaftServer(KafkaConfig.fromProps(properties), Time.SYSTEM);
            server.startup();
            Console.sayPort(Integer.parseInt(args[0]));
            Console.awaitTold();
            server.shutdown();
            server.awaitShutdown();
        }
        Console.say("stopped");
    }
}
