package jfs.negotiation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import jfs.wait.EventLoop;

/**
 * Who offers something now, and who waits for that, in one queue for each whom they ask. Thousands of connections may
 * become conversations at the same time, and a listener has a backlog of 128 and admits 256, of all processes together. On
 * the event loop's thread.
 */
final class Turns {

    /** Those that wait for their turn. More are turned down: their peer, if any, can't keep up. */
    private static final int WAITING_MAX = 16_384;
    /** Offers to one listener at once. */
    private static final int ABREAST = 32;

    private final EventLoop loop;
    private final Map<String, Queue> queues = new HashMap<>();

    private static final class Queue {
        private final Deque<Runnable> waiting = new ArrayDeque<>();
        private int underWay;
    }

    Turns(EventLoop loop) {
        this.loop = loop;
    }

    /**
     * Calls it when its turn has come, maybe at once. Then {@link #ended} is to be called, once.
     *
     * @return false if too many wait
     */
    boolean await(String key, Runnable turn) {
        Queue queue = queues.get(key);
        if (queue == null) {
            queue = new Queue();
            queues.put(key, queue);
        }
        Deque<Runnable> waiting = queue.waiting;
        if (waiting.size() >= WAITING_MAX) {
            return false;
        }
        waiting.add(turn);
        beginNext(key);
        return true;
    }

    private void beginNext(String key) {
        Queue queue = queues.get(key);
        if (queue != null && queue.underWay < ABREAST && !queue.waiting.isEmpty()) {
            queue.underWay++;
            queue.waiting.poll().run();
        }
    }

    void ended(String key) {
        Queue queue = queues.get(key);
        queue.underWay--;
        if (queue.underWay == 0 && queue.waiting.isEmpty()) {
            queues.remove(key);
        } else {
            // Not from here, or all who wait would end inside each other.
            loop.execute(new Runnable() {
                @Override
                public void run() {
                    beginNext(key);
                }
            });
        }
    }
}
