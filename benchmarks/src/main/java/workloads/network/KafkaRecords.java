package workloads.network;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import workloads.Program;

/**
 * Kafka with one broker, which is its own controller (KRaft): channels at both ends. {@code produce} sends a record and waits for its
 * acknowledgement. {@code consume} takes the next record of a topic with many. The consumer fetches them in advance. It begins again when
 * it has taken {@link #RECORDS}.
 */
final class KafkaRecords implements Subject {
    private static final int BYTES = 100;
    private static final int RECORDS = 100_000;
    /** More records than a fetch of 1 MB. A fetch at the end of a topic would wait for new records for half a second. */
    private static final int BEHIND = 20_000;
    private static final int NODE = 1;
    private static final String CONTROLLER = "CONTROLLER";
    private static final String PRODUCED = "produced";
    private static final String CONSUMED = "consumed";
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private Path folder;

    @Override
    public void keepFilesIn(Path folder) {
        this.folder = folder;
    }

    @Override
    public int serve(int asked) throws Exception {
        int port = Program.port(Integer.toString(asked));
        int controller = Program.port("0");
        format();
        new KafkaRaftServer(new KafkaConfig(settings(port, controller)), Time.SYSTEM).startup();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", address(port)))) {
            admin.createTopics(List.of(new NewTopic(PRODUCED, 1, (short) 1), new NewTopic(CONSUMED, 1, (short) 1))).all().get();
        }
        fill(port);
        return port;
    }

    private static String address(int port) {
        return HOST + ":" + port;
    }

    private void format() throws Exception {
        new Formatter()
                .setClusterId(Uuid.randomUuid().toString())
                .setNodeId(NODE)
                .setControllerListenerName(CONTROLLER)
                .setMetadataLogDirectory(folder.toString())
                .addDirectory(folder.toString())
                .run();
    }

    private Map<String, String> settings(int port, int controller) {
        return Map.ofEntries(
                Map.entry("process.roles", "broker,controller"),
                Map.entry("node.id", Integer.toString(NODE)),
                Map.entry("controller.quorum.voters", NODE + "@" + address(controller)),
                Map.entry("controller.listener.names", CONTROLLER),
                Map.entry("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT," + CONTROLLER + ":PLAINTEXT"),
                Map.entry("listeners", "PLAINTEXT://" + address(port) + "," + CONTROLLER + "://" + address(controller)),
                Map.entry("advertised.listeners", "PLAINTEXT://" + address(port)),
                Map.entry("log.dirs", folder.toString()),
                Map.entry("offsets.topic.replication.factor", "1"));
    }

    private static KafkaProducer<byte[], byte[]> producer(int port) {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", address(port), "acks", "1", "enable.idempotence", "false", "linger.ms", "0"),
                new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static void fill(int port) {
        try (KafkaProducer<byte[], byte[]> producer = producer(port)) {
            for (int i = 0; i < RECORDS + BEHIND; i++) {
                producer.send(new ProducerRecord<>(CONSUMED, new byte[BYTES]));
            }
        }
    }

    @Override
    public Operation operation(String name, int port) {
        return switch (name) {
            case "produce" -> produce(port);
            case "consume" -> consume(port);
            default -> throw Subject.unknown(name);
        };
    }

    private static Operation produce(int port) {
        KafkaProducer<byte[], byte[]> producer = producer(port);
        return () -> {
            long offset = producer.send(new ProducerRecord<>(PRODUCED, new byte[BYTES])).get().offset();
            Subject.expect(offset >= 0);
        };
    }

    private static Operation consume(int port) {
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", address(port)), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.assign(List.of(new TopicPartition(CONSUMED, 0)));
        return new Consuming(consumer);
    }

    /** Takes the records one by one, as often as they are there. */
    private static final class Consuming implements Operation {
        private final KafkaConsumer<byte[], byte[]> consumer;
        private Iterator<ConsumerRecord<byte[], byte[]>> fetched = Collections.emptyIterator();
        private long next = RECORDS;

        Consuming(KafkaConsumer<byte[], byte[]> consumer) {
            this.consumer = consumer;
        }

        @Override
        public void run() throws IOException {
            if (next == RECORDS) {
                consumer.seekToBeginning(consumer.assignment());
                fetched = Collections.emptyIterator();
                next = 0;
            }
            long from = System.nanoTime();
            while (!fetched.hasNext()) {
                if (System.nanoTime() - from > LIMIT.toNanos()) {
                    throw new IOException("the broker sends no records");
                }
                fetched = consumer.poll(LIMIT).iterator();
            }
            ConsumerRecord<byte[], byte[]> record = fetched.next();
            Subject.expect(record.offset() == next++ && record.value().length == BYTES);
        }
    }
}
