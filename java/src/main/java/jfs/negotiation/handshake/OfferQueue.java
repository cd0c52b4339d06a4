package jfs.negotiation.handshake;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import jfs.threads.EventLoop;

/**
 * The offers that are under way and those that wait for their turn. Each key has a queue: a listener's early offers have one key, its other
 * offers another one. Thousands of connections may become conversations at the same time. But the accepting process has a backlog of 128
 * and admits 256 visitors, of all connecting processes together. Only the event loop's thread uses the queue.
 */
public final class OfferQueue {

    /** Offers in one queue that wait for their turn. Further ones are refused: their peer process, if there is one, can't keep up. */
    private static final int WAITING_MAX = 16_384;
    /** Offers of one queue that are under way at once. */
    private static final int UNDER_WAY_MAX = 32;

    private final EventLoop loop;
    private final Map<String, Queue> queues = new HashMap<>();

    private static final class Queue {
        private final Deque<Runnable> waiting = new ArrayDeque<>();
        private int underWay;
    }

    public OfferQueue(EventLoop loop) {
        this.loop = loop;
    }

    /**
     * Runs the task when its turn has come, maybe at once. When the offer is over, the caller has to call {@link #ended}, once.
     *
     * @param turn the task
     * @return false if too many offers wait; then the task is never run
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
        if (queue != null && queue.underWay < UNDER_WAY_MAX && !queue.waiting.isEmpty()) {
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
            // Not from here: offers that end at once would run nested in each other.
            loop.execute(new Runnable() {
                @Override
                public void run() {
                    beginNext(key);
                }
            });
        }
    }
}
