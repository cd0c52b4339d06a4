package jfs.conformance.soak.transfer;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * By a channel that an event loop serves together with others. While no thread reads or writes, the channel now and then moves to another
 * registration, or goes to blocking mode and back. In blocking mode the threads read and write themselves.
 */
final class SelectorTransfer implements Transfer, EventLoop.Handler {

    private static final int CHANGES_ONE_IN = 16;
    /** A thread may try to read or write before it asks the loop. */
    private static final int TRIES_ONE_IN = 4;

    private final SocketChannel channel;
    private final EventLoops loops;
    private final Random random;
    private final ChannelTransfer inBlockingMode;
    private volatile EventLoop loop;
    private volatile SelectionKey key;
    private volatile int timeoutMillis;

    /** Guards the mode and the registration. No thread reads or writes while they change. */
    private final ReentrantLock changing = new ReentrantLock();
    private int users;
    private boolean blocking;

    /** What the loop is to do. Guarded by this object. */
    private Request reading;
    private Request writing;

    /** A read or a write that waits for the channel. Guarded by the transfer. */
    private static final class Request {
        private final Buffers buffers;
        private final int operation;
        private boolean done;
        private int bytes;
        private IOException failure;

        Request(Buffers buffers, int operation) {
            this.buffers = buffers;
            this.operation = operation;
        }
    }

    SelectorTransfer(SocketChannel channel, EventLoops loops, Random random) throws IOException {
        this.channel = channel;
        this.loops = loops;
        this.random = random;
        this.inBlockingMode = new ChannelTransfer(channel, random);
        register();
    }

    // The mode and the registration.

    private void register() throws IOException {
        channel.configureBlocking(false);
        loop = loops.any(random); // before the key is there: a close wakes this loop
        key = loop.register(channel, 0, this, random.nextBoolean());
    }

    private void change() throws IOException {
        if (blocking) {
            register();
            blocking = false;
            return;
        }
        if (random.nextBoolean()) {
            key.cancel();
        }
        loop.deregister(key);
        if (random.nextBoolean()) {
            channel.configureBlocking(true);
            blocking = true;
        } else {
            register();
        }
    }

    /** @return whether the channel is in blocking mode, until {@link #leave} */
    private boolean enter() throws IOException {
        changing.lock();
        try {
            if (users == 0 && random.nextInt(CHANGES_ONE_IN) == 0) {
                change();
            }
            users++;
            return blocking;
        } finally {
            changing.unlock();
        }
    }

    private void leave() {
        changing.lock();
        users--;
        changing.unlock();
    }

    // Reading and writing.

    @Override
    public int read(byte[] into, int most) throws IOException {
        boolean direct = enter();
        try {
            if (direct) {
                return inBlockingMode.read(into, most);
            }
            try (Buffers buffers = new Buffers(into, most, false, random)) {
                return perform(new Request(buffers, SelectionKey.OP_READ), timeoutMillis);
            }
        } finally {
            leave();
        }
    }

    @Override
    public void write(byte[] from) throws IOException {
        boolean direct = enter();
        try {
            if (direct) {
                inBlockingMode.write(from);
                return;
            }
            try (Buffers buffers = new Buffers(from, from.length, true, random)) {
                perform(new Request(buffers, SelectionKey.OP_WRITE), 0);
            }
        } finally {
            leave();
        }
    }

    private int perform(Request it, int millis) throws IOException {
        synchronized (this) {
            set(it.operation, it);
            if (random.nextInt(TRIES_ONE_IN) == 0) {
                attempt(it);
            }
            if (!it.done) {
                if (random.nextBoolean()) {
                    loop.want(key, it.operation);
                } else {
                    loop.execute(() -> attemptInLoop(it));
                }
            }
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            while (!it.done) {
                long rest = millis == 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime() + 999_999);
                if (millis > 0 && rest <= 0) {
                    done(it); // the loop won't touch the buffers any more
                    throw new SocketTimeoutException("Read timed out");
                }
                try {
                    wait(rest);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            if (it.failure != null) {
                throw it.failure;
            }
            return it.bytes;
        }
    }

    private void set(int operation, Request it) {
        if (operation == SelectionKey.OP_READ) {
            reading = it;
        } else {
            writing = it;
        }
    }

    private void done(Request it) {
        it.done = true;
        set(it.operation, null);
        notifyAll();
    }

    private void fail(Request it, IOException failure) {
        it.failure = failure;
        done(it);
    }

    private void attempt(Request it) {
        try {
            if (it.operation == SelectionKey.OP_READ) {
                it.bytes = it.buffers.read(channel);
                if (it.bytes != 0) {
                    done(it);
                }
            } else {
                it.buffers.write(channel);
                if (!it.buffers.hasRemaining()) {
                    done(it);
                }
            }
        } catch (IOException e) {
            fail(it, e);
        }
    }

    private synchronized void attemptInLoop(Request it) {
        if (it.done) {
            return;
        }
        attempt(it);
        if (!it.done) {
            want();
        }
    }

    @Override
    public synchronized void ready(SelectionKey ready) {
        try {
            if (reading != null && ready.isReadable()) {
                attempt(reading);
            }
            if (writing != null && ready.isWritable()) {
                attempt(writing);
            }
        } catch (CancelledKeyException e) {
            return; // the channel is closed, and the closing thread ends the requests
        }
        want();
    }

    /** Has the selector look for what the requests wait for, and for nothing else. */
    private void want() {
        try {
            key.interestOps((reading == null ? 0 : SelectionKey.OP_READ) | (writing == null ? 0 : SelectionKey.OP_WRITE));
        } catch (CancelledKeyException e) {
            // The channel is closed.
        }
    }

    // All else.

    @Override
    public void timeout(int millis) throws IOException {
        inBlockingMode.timeout(millis);
        timeoutMillis = millis;
    }

    @Override
    public void noDelay(boolean on) throws IOException {
        inBlockingMode.noDelay(on);
    }

    @Override
    public int localPort() {
        return inBlockingMode.localPort();
    }

    @Override
    public void shutdownOutput() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public void reset() throws IOException {
        try {
            inBlockingMode.reset();
        } finally {
            afterClose();
        }
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            afterClose();
        }
    }

    private void afterClose() {
        synchronized (this) {
            for (Request each : new Request[] {reading, writing}) {
                if (each != null) {
                    fail(each, new AsynchronousCloseException());
                }
            }
        }
        loop.wakeup(); // the selector lets go of the channel
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public void interrupt(Thread user) {
        loop.interrupt();
    }

    /** An interrupt of the loop's thread changes nothing. */
    @Override
    public boolean isClosedByInterrupt() {
        return false;
    }

    @Override
    public boolean isInterruption(IOException e) {
        return false;
    }
}
