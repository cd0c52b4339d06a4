package jfs.nio;

import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.JfsEnd;
import java.nio.channels.spi.JfsHook;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Gives each channel an end, which writes down what it is told. This class implements no interface of JFS's provider: JUnit loads the types
 * of a test's fields before the test has defined these interfaces.
 */
final class Recorder {

    private final Map<SocketChannel, End> ends = new ConcurrentHashMap<>();

    /** From now on each new channel has an end. */
    void use() {
        Hooks.use(new Hook(ends));
    }

    private record Hook(Map<SocketChannel, End> ends) implements JfsHook {
        @Override
        public JfsEnd end(SocketChannel channel, boolean accepted) {
            End end = new End(accepted);
            ends.put(channel, end);
            return end;
        }
    }

    End of(SocketChannel channel) {
        return ends.get(channel);
    }

    static final class End implements JfsEnd {

        private final boolean accepted;
        private final List<String> calls = new ArrayList<>();
        private long received;
        private long sent;
        /** Which of the events that it is asked for it lets through. */
        private volatile int interest = -1;
        private volatile int ready = -1;

        private End(boolean accepted) {
            this.accepted = accepted;
        }

        boolean isAccepted() {
            return accepted;
        }

        synchronized long received() {
            return received;
        }

        synchronized long sent() {
            return sent;
        }

        /** What it was told of selectors and of the close. */
        synchronized List<String> calls() {
            return List.copyOf(calls);
        }

        void letThrough(int interestMask, int readyMask) {
            interest = interestMask;
            ready = readyMask;
        }

        private synchronized void note(String call) {
            calls.add(call);
        }

        @Override
        public synchronized void received(long bytes) {
            received += bytes;
        }

        @Override
        public synchronized void sent(long bytes) {
            sent += bytes;
        }

        @Override
        public int interest(int events) {
            return events & interest;
        }

        @Override
        public int ready(int events) {
            return events & ready;
        }

        @Override
        public void registered(Selector selector) {
            note("registered");
        }

        @Override
        public void interestSet(Selector selector, int ops) {
            note("interest " + ops);
        }

        @Override
        public void deregistered(Selector selector) {
            note("deregistered");
        }

        @Override
        public void closing() {
            note("closing");
        }

        @Override
        public void killed() {
            note("killed");
        }
    }
}
