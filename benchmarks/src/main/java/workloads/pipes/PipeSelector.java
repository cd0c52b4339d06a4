package workloads.pipes;

import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelectionKey;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A selector of channels over pipes. It looks at all of its channels, and waits as a thread at a pipe does. */
final class PipeSelector extends AbstractSelector {
    /** A channel that this selector can have. */
    interface Watched {
        /** The operations that are ready. */
        int ready();

        /** Sets what happens when an operation may have become ready. */
        void watch(Runnable then);
    }

    private static final class Key extends AbstractSelectionKey {
        private final PipeSelector selector;
        private final AbstractSelectableChannel channel;
        private volatile int interest;
        private volatile int ready;

        Key(PipeSelector selector, AbstractSelectableChannel channel) {
            this.selector = selector;
            this.channel = channel;
        }

        /** The operations that are ready and wanted. */
        private int now() {
            return isValid() ? ((Watched) channel).ready() & interest : 0;
        }

        @Override
        public SelectableChannel channel() {
            return channel;
        }

        @Override
        public Selector selector() {
            return selector;
        }

        @Override
        public int interestOps() {
            return interest;
        }

        @Override
        public SelectionKey interestOps(int operations) {
            interest = operations;
            return this;
        }

        @Override
        public int readyOps() {
            return ready;
        }
    }

    private final Set<Key> keys = ConcurrentHashMap.newKeySet();
    private final Set<SelectionKey> selected = new HashSet<>();
    private final Waiter waiter = new Waiter(() -> woken() || isAnyReady());
    private volatile boolean woken;

    PipeSelector(SelectorProvider provider) {
        super(provider);
    }

    private boolean woken() {
        return woken;
    }

    private boolean isAnyReady() {
        for (Key key : keys) {
            if (key.now() != 0) {
                return true;
            }
        }
        return false;
    }

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int operations, Object attachment) {
        Key key = new Key(this, channel);
        key.attach(attachment);
        key.interestOps(operations);
        keys.add(key);
        ((Watched) channel).watch(waiter::wake);
        return key;
    }

    @Override
    public int selectNow() {
        return select(() -> {});
    }

    @Override
    public int select() {
        return select(0);
    }

    @Override
    public int select(long millis) {
        return select(() -> waiter.await((int) Math.min(millis, Integer.MAX_VALUE)));
    }

    private synchronized int select(Runnable wait) {
        dropCancelled();
        begin();
        try {
            wait.run();
        } finally {
            end();
        }
        woken = false;
        dropCancelled();
        int changed = 0;
        for (Key key : keys) {
            int now = key.now();
            if (now != 0) {
                boolean before = selected.contains(key);
                int ready = before ? key.ready | now : now;
                if (!before || ready != key.ready) {
                    changed++;
                }
                key.ready = ready;
                selected.add(key);
            }
        }
        return changed;
    }

    private void dropCancelled() {
        Set<SelectionKey> cancelled = cancelledKeys();
        synchronized (cancelled) {
            for (SelectionKey key : cancelled) {
                keys.remove(key);
                selected.remove(key);
                deregister((Key) key);
            }
            cancelled.clear();
        }
    }

    @Override
    public Selector wakeup() {
        woken = true;
        waiter.wake();
        return this;
    }

    @Override
    public Set<SelectionKey> keys() {
        return Collections.unmodifiableSet(keys);
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        return selected;
    }

    @Override
    protected void implCloseSelector() {
        wakeup();
        synchronized (this) {
            for (Key key : keys) {
                deregister(key);
            }
            keys.clear();
            selected.clear();
        }
    }
}
