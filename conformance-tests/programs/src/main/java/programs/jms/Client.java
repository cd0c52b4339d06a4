package programs.jms;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.ActiveMQConnection;
import org.apache.activemq.ActiveMQConnectionFactory;
import programs.Bytes;
import programs.Console;

/** A client that sends messages to itself through the broker. */
public final class Client {

    private static final long LIMIT_MILLIS = 20_000;
    /** A peer that has sent nothing for this time, not even a keep-alive message, is given up. */
    private static final int INACTIVITY_MILLIS = 2_000;

    private final String url;

    private Client(String port) {
        url = "tcp://127.0.0.1:" + port + "?wireFormat.maxInactivityDuration=" + INACTIVITY_MILLIS
                + "&wireFormat.maxInactivityDurationInitalDelay=" + INACTIVITY_MILLIS;
    }

    /** Arguments: the broker's port. */
    public static void main(String[] args) throws Exception {
        Console.open();
        Client client = new Client(args[0]);
        try (Connection one = client.connect(client.url); Connection other = client.connect(client.url)) {
            client.requests(one, other);
            client.queue(one, other);
            client.topic(one, other);
            client.largeMessages(one, other);
            client.acknowledgements(one);
            client.transactions(one);
            client.idle(one);
            client.mistakes(one);
        }
        client.brokersMayGo();
        Console.say("closed");
    }

    private Connection connect(String url) throws JMSException {
        ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(url);
        factory.setWatchTopicAdvisories(false);
        factory.getRedeliveryPolicy().setInitialRedeliveryDelay(0);
        factory.getRedeliveryPolicy().setRedeliveryDelay(0);
        factory.getRedeliveryPolicy().setMaximumRedeliveries(2);
        Connection connection = factory.createConnection();
        connection.start();
        return connection;
    }

    private static Session session(Connection connection) throws JMSException {
        return connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
    }

    private static Message receive(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(LIMIT_MILLIS);
        if (message == null) {
            throw new JMSException("nothing to receive");
        }
        return message;
    }

    private static String text(MessageConsumer consumer) throws JMSException {
        return ((TextMessage) receive(consumer)).getText();
    }

    /**
     * One connection sends questions to a queue. The other connection answers them on a temporary queue of the first
     * one.
     */
    private void requests(Connection asker, Connection answerer) throws Exception {
        Session there = session(answerer);
        MessageConsumer questions = there.createConsumer(there.createQueue("questions"));
        MessageProducer answers = there.createProducer(null);
        questions.setMessageListener(question -> {
            try {
                TextMessage answer = there.createTextMessage("answer to " + ((TextMessage) question).getText());
                answer.setJMSCorrelationID(question.getJMSMessageID());
                answers.send(question.getJMSReplyTo(), answer);
            } catch (JMSException e) {
                Console.say(e);
            }
        });
        Session here = session(asker);
        TemporaryQueue own = here.createTemporaryQueue();
        MessageProducer producer = here.createProducer(here.createQueue("questions"));
        MessageConsumer consumer = here.createConsumer(own);
        Console.say("questions");
        Console.untilTold(() -> ask(here, producer, own, consumer));
        Console.say(ask(here, producer, own, consumer));
        consumer.close();
        own.delete();
        questions.close();
        here.close();
        there.close();
    }

    private static String ask(Session session, MessageProducer producer, Destination own, MessageConsumer consumer)
            throws JMSException {
        TextMessage question = session.createTextMessage("a question");
        question.setJMSReplyTo(own);
        producer.send(question);
        TextMessage answer = (TextMessage) receive(consumer);
        return answer.getText() + ": " + answer.getJMSCorrelationID().equals(question.getJMSMessageID());
    }

    /**
     * The messages are sent before there is a receiver. The broker then gives the receiver many messages, one or none
     * before it asks.
     */
    private void queue(Connection sender, Connection receiver) throws JMSException {
        for (int prefetch : new int[] {1_000, 1, 0}) {
            int messages = prefetch > 1 ? 2_000 : 100;
            Session from = session(sender);
            MessageProducer producer = from.createProducer(from.createQueue("numbers"));
            for (int i = 0; i < messages; i++) {
                producer.send(from.createTextMessage("number " + i));
            }
            QueueBrowser browser = from.createBrowser(from.createQueue("numbers"));
            int seen = 0;
            for (Enumeration<?> all = browser.getEnumeration(); all.hasMoreElements(); all.nextElement()) {
                seen++;
            }
            Session to = session(receiver);
            MessageConsumer consumer =
                    to.createConsumer(to.createQueue("numbers?consumer.prefetchSize=" + prefetch));
            List<String> received = new ArrayList<>();
            for (int i = 0; i < messages; i++) {
                received.add(text(consumer));
            }
            Console.say(seen + " seen, " + received.size() + " received, " + received.hashCode());
            to.close();
            from.close();
        }
    }

    private void topic(Connection sender, Connection receiver) throws JMSException {
        Session to = session(receiver);
        List<MessageConsumer> consumers = List.of(to.createConsumer(to.createTopic("news")),
                to.createConsumer(to.createTopic("news"), "n >= 250"), to.createConsumer(to.createTopic(">"), "n < 0"));
        Session from = session(sender);
        MessageProducer producer = from.createProducer(from.createTopic("news"));
        for (int i = 0; i < 500; i++) {
            Message message = from.createTextMessage("news " + i);
            message.setIntProperty("n", i);
            producer.send(message);
        }
        Console.say(text(consumers.get(0)) + ", " + text(consumers.get(1)));
        int rest = 0;
        for (MessageConsumer consumer : consumers.subList(0, 2)) {
            String last;
            do {
                last = text(consumer);
                rest++;
            } while (!last.equals("news 499"));
        }
        Console.say(rest + " more, " + consumers.get(2).receiveNoWait());
        to.close();
        from.close();
    }

    private void largeMessages(Connection sender, Connection receiver) throws JMSException {
        Session from = session(sender);
        Session to = session(receiver);
        MessageProducer producer = from.createProducer(from.createQueue("large"));
        MessageConsumer consumer = to.createConsumer(to.createQueue("large"));
        for (int length : new int[] {70_000, 1_000_000, 5_000_000}) {
            BytesMessage message = from.createBytesMessage();
            message.writeBytes(Bytes.of(length, length));
            producer.send(message);
            BytesMessage received = (BytesMessage) receive(consumer);
            byte[] bytes = new byte[(int) received.getBodyLength()];
            received.readBytes(bytes);
            Console.say(Bytes.digest(bytes));
        }
        producer.send(from.createTextMessage("\u00e4\u20ac".repeat(300_000)));
        Console.say(text(consumer).hashCode());
        MapMessage map = from.createMapMessage();
        for (int i = 0; i < 1_000; i++) {
            map.setLong("key " + i, i);
        }
        producer.send(map);
        Console.say(((MapMessage) receive(consumer)).getLong("key 999"));
        from.close();
        to.close();
    }

    /** A message that is not acknowledged is delivered again. */
    private void acknowledgements(Connection connection) throws JMSException {
        Session session = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE);
        MessageProducer producer = session.createProducer(session.createQueue("acknowledged"));
        MessageConsumer consumer = session.createConsumer(session.createQueue("acknowledged"));
        for (int i = 0; i < 10; i++) {
            producer.send(session.createTextMessage("message " + i));
        }
        for (int i = 0; i < 5; i++) {
            receive(consumer);
        }
        session.recover();
        Message last = null;
        StringBuilder again = new StringBuilder();
        for (int i = 0; i < 10; i++) {
            last = receive(consumer);
            again.append(last.getJMSRedelivered() ? 'r' : '-');
        }
        last.acknowledge();
        Console.say(again);
        session.close();
    }

    private void transactions(Connection connection) throws JMSException {
        Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
        MessageProducer producer = session.createProducer(session.createQueue("transacted"));
        MessageConsumer consumer = session.createConsumer(session.createQueue("transacted"));
        producer.send(session.createTextMessage("never sent"));
        session.rollback();
        producer.send(session.createTextMessage("poison"));
        producer.send(session.createTextMessage("good"));
        session.commit();
        String said = "";
        for (String text = text(consumer); text.equals("poison"); text = text(consumer)) {
            said += text + " ";
            session.rollback(); // after three deliveries in all the broker moves it to the dead letter queue
        }
        session.commit();
        MessageConsumer dead = session.createConsumer(session.createQueue("ActiveMQ.DLQ"));
        Console.say(said + "dead: " + text(dead));
        session.commit();
        session.close();
    }

    /** Both ends keep an idle connection alive. */
    private void idle(Connection connection) throws JMSException {
        Session session = session(connection);
        MessageConsumer consumer = session.createConsumer(session.createQueue("idle"));
        Console.say(consumer.receive(INACTIVITY_MILLIS * 3 / 2));
        session.createProducer(session.createQueue("idle")).send(session.createTextMessage("still here"));
        Console.say(text(consumer));
        session.close();
    }

    private void mistakes(Connection connection) throws JMSException {
        Session session = session(connection);
        TemporaryQueue queue = session.createTemporaryQueue();
        MessageConsumer consumer = session.createConsumer(queue);
        say(queue::delete);
        session.close();
        say(consumer::receive);
        say(session::createTemporaryQueue);
        say(() -> connect("tcp://127.0.0.1:1"));
    }

    /** A call that may fail. */
    private interface Mistake {
        void make() throws JMSException;
    }

    private static void say(Mistake mistake) {
        try {
            mistake.make();
            Console.say("done");
        } catch (JMSException e) {
            Console.say(e.getClass().getName() + ": " + without(e.getMessage()));
        }
    }

    private static String without(String text) {
        return text.replaceAll(":\\d+", ":PORT").replaceAll("ID:\\S+", "ID");
    }

    /** One broker stops responding. Another broker takes its place. */
    private void brokersMayGo() throws Exception {
        BlockingQueue<String> ends = new ArrayBlockingQueue<>(10);
        CountDownLatch interrupted = new CountDownLatch(1);
        try (Connection failing = connect(url);
                Connection lasting = connect("failover:(" + url + ")?initialReconnectDelay=20"
                        + "&useExponentialBackOff=false")) {
            failing.setExceptionListener(e -> ends.add(without(e.getMessage())));
            ((ActiveMQConnection) lasting).addTransportListener(new Interruptions(interrupted));
            Session session = session(lasting);
            MessageProducer producer = session.createProducer(session.createQueue("lasting"));
            MessageConsumer consumer = session.createConsumer(session.createQueue("lasting"));
            Console.say("one broker");
            Console.untilTold(() -> exchange(session, producer, consumer));
            Console.say("it may stop");
            Console.say(ends.poll(LIMIT_MILLIS, TimeUnit.MILLISECONDS));
            Console.say(interrupted.await(LIMIT_MILLIS, TimeUnit.MILLISECONDS));
            Console.say("another broker");
            Console.untilTold(() -> exchange(session, producer, consumer));
            for (int i = 0; i < 100; i++) {
                producer.send(session.createTextMessage("again " + i));
            }
            String all = "";
            for (int i = 0; i < 100; i++) {
                all += text(consumer);
            }
            Console.say(all.hashCode());
        }
    }

    private static String exchange(Session session, MessageProducer producer, MessageConsumer consumer)
            throws JMSException {
        producer.send(session.createTextMessage("to and fro"));
        return text(consumer);
    }
}
