package programs.redis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import programs.Bytes;
import programs.Console;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisDataException;

/** A client of a Redis server. */
public final class Client {

    private Client() {
    }

    /** Arguments: the server's port. */
    public static void main(String[] args) throws Exception {
        Console.open();
        int port = Integer.parseInt(args[0]);
        try (Jedis redis = new Jedis("127.0.0.1", port)) {
            Console.untilTold(redis::ping);
            values(redis);
            pipeline(redis);
            messages(redis, port);
        }
        Console.say("closed");
    }

    private static void values(Jedis redis) {
        Console.say(redis.flushAll());
        Console.say(redis.set("name", "value \u00e4\u20ac"));
        Console.say(redis.get("name"));
        Console.say(redis.get("nothing"));
        byte[] large = Bytes.of(1, 1 << 20);
        Console.say(redis.set("large".getBytes(), large));
        byte[] back = redis.get("large".getBytes());
        Console.say(Bytes.digest(back) + ": " + Arrays.equals(large, back));
        try {
            redis.incr("name");
        } catch (JedisDataException e) {
            Console.say(e.getMessage());
        }
    }

    private static void pipeline(Jedis redis) {
        Pipeline pipeline = redis.pipelined();
        List<Response<Long>> responses = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            responses.add(pipeline.incrBy("counter", i));
        }
        pipeline.sync();
        Console.say(responses.get(9_999).get());
    }

    private static void messages(Jedis publisher, int port) throws InterruptedException {
        List<String> received = new ArrayList<>();
        JedisPubSub subscription = new JedisPubSub() {
            @Override
            public void onSubscribe(String channel, int subscribed) {
                for (int i = 0; i < 100; i++) {
                    publisher.publish(channel, "message " + i);
                }
            }

            @Override
            public void onMessage(String channel, String message) {
                received.add(message);
                if (received.size() == 100) {
                    unsubscribe();
                }
            }
        };
        try (Jedis subscriber = new Jedis("127.0.0.1", port)) {
            subscriber.subscribe(subscription, "news"); // returns when the subscription has ended
        }
        Console.say(received.size() + " messages, " + received.hashCode());
    }
}
