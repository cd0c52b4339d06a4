package programs.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.IntegerSerializer;
import programs.Bytes;
import programs.Console;

/** Writes records, and reads them: from files that the broker sends, and one by one as they are written. */
public final class Client {

    private static final String STORED = "stored";
    private static final String LIVE = "live";
    private static final int RECORDS = 1500;
    private static final int LONGEST = 16_000;
    private static final int ONE_BY_ONE = 100;

    private final String broker;
    private final KafkaProducer<Integer, byte[]> producer;

    private Client(String broker) {
        this.broker = broker;
        producer = new KafkaProducer<>(Map.of("bootstrap.servers", broker, "linger.ms", "0"),
                new IntegerSerializer(), new ByteArraySerializer());
    }

    /** Argument: the broker's port. */
    public static void main(String[] args) throws Exception {
        Console.open();
        Console.sayProvider();
        Client it = new Client(Console.address() + ":" + args[0]);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", it.broker))) {
            admin.createTopics(List.of(topic("first"), topic(STORED), topic(LIVE))).all().get();
        }
        Console.untilTold(() -> it.producer.send(new ProducerRecord<>("first", 1, new byte[10])).get());
        it.store();
        it.read("one");
        it.read("other");
        it.live();
        it.producer.close();
        Console.say("done");
    }

    private static NewTopic topic(String name) {
        return new NewTopic(name, 1, (short) 1);
    }

    private static byte[] contents(int number) {
        return Bytes.of(number, number * 37 % LONGEST);
    }

    private KafkaConsumer<Integer, byte[]> consumer(Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(more);
        settings.putAll(Map.of("bootstrap.servers", broker, "auto.offset.reset", "earliest", "enable.auto.commit", "false"));
        return new KafkaConsumer<>(settings, new IntegerDeserializer(), new ByteArrayDeserializer());
    }

    private void store() throws Exception {
        List<Future<RecordMetadata>> stored = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            stored.add(producer.send(new ProducerRecord<>(STORED, i, contents(i))));
        }
        for (int i = 0; i < RECORDS; i++) {
            if (stored.get(i).get().offset() != i) {
                throw new AssertionError(stored.get(i).get());
            }
        }
        Console.say(RECORDS + " records written");
    }

    /** A group of consumers reads all that is stored. */
    private void read(String group) {
        try (KafkaConsumer<Integer, byte[]> consumer = consumer(Map.of("group.id", group))) {
            consumer.subscribe(List.of(STORED));
            long bytes = 0;
            int next = 0;
            while (next < RECORDS) {
                for (ConsumerRecord<Integer, byte[]> record : consumer.poll(Duration.ofSeconds(60))) {
                    bytes += check(record, next++);
                }
            }
            consumer.commitSync();
            Console.say("group " + group + ": " + next + " records, " + bytes + " bytes, committed "
                    + consumer.committed(consumer.assignment()).get(new TopicPartition(STORED, 0)).offset());
        }
    }

    private static int check(ConsumerRecord<Integer, byte[]> record, int number) {
        if (record.key() != number || record.offset() != number || !Arrays.equals(contents(number), record.value())) {
            throw new AssertionError(record.key() + " at " + record.offset() + " instead of " + number + ": "
                    + Bytes.digest(record.value()));
        }
        return record.value().length;
    }

    /** Each record is written when the one before was read. */
    private void live() throws Exception {
        try (KafkaConsumer<Integer, byte[]> consumer = consumer(Map.of())) {
            consumer.assign(List.of(new TopicPartition(LIVE, 0)));
            for (int i = 0; i < ONE_BY_ONE; i++) {
                producer.send(new ProducerRecord<>(LIVE, i, contents(i))).get();
                for (boolean came = false; !came;) {
                    for (ConsumerRecord<Integer, byte[]> record : consumer.poll(Duration.ofSeconds(60))) {
                        check(record, i);
                        came = true;
                    }
                }
            }
            Console.say(ONE_BY_ONE + " records read as they were written");
        }
    }
}
