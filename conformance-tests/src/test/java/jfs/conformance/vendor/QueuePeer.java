package jfs.conformance.vendor;

import java.io.IOException;
import java.util.Random;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.processes.Orders;
import jfs.scilib.MessageQueues;
import jfs.scilib.QueueReceiver;
import jfs.scilib.QueueSender;

/** A child process with one end of a message queue. It obeys {@link Orders}. */
final class QueuePeer {

    private static final int ID = 7;
    private static final int COUNT = 16;
    private static final int SIZE = 1000;
    private static final int LONGEST = 4 * SIZE;
    private static final int FOR_EVER = -1;
    private static final int START_MILLIS = 60_000;

    private QueueReceiver receiver;
    private QueueSender sender;

    private QueuePeer() {
    }

    public static void main(String[] args) throws IOException {
        QueuePeer peer = new QueuePeer();
        new Orders().run(peer::obey);
    }

    private Object obey(String order, String[] words) throws IOException {
        switch (order) {
            case "create" -> receiver = MessageQueues.create(MessageQueues.localNode(), ID, COUNT, SIZE);
            case "connect" -> sender = MessageQueues.connect(MessageQueues.localNode(), ID, COUNT, SIZE, START_MILLIS);
            case "send" -> send(Long.parseLong(words[2]), Integer.parseInt(words[3])); // seed, bytes
            case "receiveToEnd" -> { // seed; returns how many bytes came
                return receiveToEnd(Long.parseLong(words[2]));
            }
            case "close" -> {
                if (receiver != null) {
                    receiver.close();
                }
                if (sender != null) {
                    sender.close();
                }
            }
            default -> throw new IllegalArgumentException(order);
        }
        return "done";
    }

    private void send(long seed, int bytes) throws IOException {
        Random sizes = new Random(seed);
        for (int sent = 0; sent < bytes;) {
            int n = Math.min(bytes - sent, 1 + sizes.nextInt(LONGEST));
            sent += sender.send(Bytes.of(seed, sent, n), 0, n, FOR_EVER);
        }
    }

    private long receiveToEnd(long seed) throws IOException {
        Random sizes = new Random(~seed);
        byte[] into = new byte[LONGEST];
        for (long received = 0;;) {
            int n = receiver.receive(into, 0, 1 + sizes.nextInt(LONGEST), FOR_EVER);
            if (n < 0) {
                return received;
            }
            Bytes.check(seed, received, into, n);
            received += n;
        }
    }
}
