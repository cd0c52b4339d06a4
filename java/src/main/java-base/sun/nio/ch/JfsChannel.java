package sun.nio.ch;

import java.io.FileDescriptor;
import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.JfsEnd;
import java.nio.channels.spi.JfsListener;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The JDK's TCP channel, whose bytes may go by JFS's path ({@link JfsStream}): how it connects, closes, and is selected. A plain connection
 * has no {@link JfsEnd}: each method then does what the JDK does. {@code JdkClasses} of JFS checks that each method that is not private,
 * static or final overrides one.
 */
final class JfsChannel extends JfsStream {

    private static final long TCP_CLOSED = UNSAFE.objectFieldOffset(JfsChannel.class, "tcpClosed");
    private static final long REGISTRATIONS = UNSAFE.objectFieldOffset(JfsChannel.class, "registrations");
    /** In the events that a selector reports: JFS has looked already, and these are all. */
    static final int LOOKED = 1 << 30;

    /** With JFS's selectors; null for none. Replaced as a whole, by compare and exchange. */
    private volatile JfsRegistration[] registrations;
    /** 1 once the JDK's part of a close has begun. */
    private volatile int tcpClosed;
    /** The threads that wait for the descriptor in the JDK's read and in its write. Only such a thread writes its name. */
    private volatile Thread parkedReader;
    private volatile Thread parkedWriter;

    JfsChannel(SelectorProvider provider) throws IOException {
        super(provider);
    }

    JfsChannel(SelectorProvider provider, ProtocolFamily family) throws IOException {
        super(provider, family);
    }

    /** Called once for an accepted channel, which no other thread knows yet. No constructor of this class has run for it. */
    static JfsChannel accepted(JfsChannel channel, JfsListener listener) {
        channel.settle(listener == null ? null : JfsFactory.accepted(channel, listener));
        return channel;
    }

    /** The end of a key's connection; null if that is plain, not connected yet, or no TCP connection of JFS's provider. */
    static JfsEnd endOf(SelectionKeyImpl key) {
        return key.channel() instanceof JfsChannel channel ? channel.endNow() : null;
    }

    // Connecting.

    @Override
    public boolean connect(SocketAddress remote) throws IOException {
        boolean connected = super.connect(remote);
        if (connected) {
            settleIfConnected();
        }
        return connected;
    }

    @Override
    public boolean finishConnect() throws IOException {
        boolean connected = super.finishConnect();
        if (connected) {
            settleIfConnected();
        }
        return connected;
    }

    /** The connect of the adaptor. */
    @Override
    void blockingConnect(SocketAddress remote, long nanos) throws IOException {
        super.blockingConnect(remote, nanos);
        settleIfConnected();
    }

    // Options and the two halves.

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        JfsEnd it = end();
        if (it == null || !isOpen()) {
            return super.setOption(name, value);
        }
        it.setOption(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        JfsEnd it = end();
        return it == null || !isOpen() ? super.getOption(name) : it.getOption(name);
    }

    @Override
    public SocketChannel shutdownInput() throws IOException {
        JfsEnd it = end();
        if (it == null || !isOpen() || !isInputOpen()) {
            return super.shutdownInput();
        }
        it.shutdownInput();
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        JfsEnd it = end();
        if (it == null || !isOpen() || !isOutputOpen()) {
            return super.shutdownOutput();
        }
        it.shutdownOutput();
        return this;
    }

    // Sendfile.

    /**
     * {@code FileChannel.transferTo} sends a file by the descriptor, past all methods of the channel. Where the kernel refuses the
     * descriptor, it writes the file's bytes to the channel. So it gets a descriptor that the kernel refuses while bytes go by the path.
     * The JDK's own reads and writes get the channel's descriptor when they wait for it. After the end of the output the kernel refuses a file
     * by itself.
     */
    @Override
    public FileDescriptor getFD() {
        JfsEnd it = endNow();
        Thread caller = Thread.currentThread();
        boolean waits = it == null || caller == parkedReader || caller == parkedWriter;
        return waits || !isOutputOpen() || it.sendsFileOverTcp() ? super.getFD() : JfsFactory.unsendable();
    }

    /** The JDK's read or write waits for the descriptor. */
    @Override
    public void park(int event, long nanos) throws IOException {
        boolean reads = event == Net.POLLIN;
        setParked(reads, Thread.currentThread());
        try {
            super.park(event, nanos);
        } finally {
            setParked(reads, null);
        }
    }

    private void setParked(boolean reads, Thread thread) {
        if (reads) {
            parkedReader = thread;
        } else {
            parkedWriter = thread;
        }
    }

    // Selecting.

    /** Whether a selector has to know the end of this channel, now or once it has connected. */
    final boolean mayHaveEnd() {
        return endNow() != null || !isSettled();
    }

    final void add(JfsRegistration registration) {
        JfsRegistration[] before;
        JfsRegistration[] after;
        do {
            before = registrations;
            after = before == null ? new JfsRegistration[1] : Arrays.copyOf(before, before.length + 1);
            after[after.length - 1] = registration;
        } while (!UNSAFE.compareAndSetReference(this, REGISTRATIONS, before, after));
    }

    final boolean hasOneRegistration() {
        JfsRegistration[] all = registrations;
        return all != null && all.length == 1;
    }

    final void remove(JfsRegistration registration) {
        JfsRegistration[] before;
        JfsRegistration[] after;
        do {
            before = registrations;
            List<JfsRegistration> left = new ArrayList<>(before == null ? List.of() : Arrays.asList(before));
            left.remove(registration);
            after = left.isEmpty() ? null : left.toArray(new JfsRegistration[0]);
        } while (!UNSAFE.compareAndSetReference(this, REGISTRATIONS, before, after));
    }

    @Override
    public void tellSelectors() {
        JfsRegistration[] all = registrations;
        if (all != null) {
            for (JfsRegistration each : all) {
                each.news();
            }
        }
    }

    @Override
    public int translateInterestOps(int ops) {
        JfsEnd it = endNow();
        int events = super.translateInterestOps(ops);
        if (it != null && registrations == null) { // JFS's selectors are among them before they ask
            it.inOtherSelector();
        }
        return it == null ? events : it.interest(events);
    }

    @Override
    public boolean translateReadyOps(int events, int before, SelectionKeyImpl key) {
        JfsEnd it = endNow();
        if (it == null || !it.hasPath()) {
            return super.translateReadyOps(events, before, key);
        }
        int now = events & ~LOOKED;
        if ((events & LOOKED) == 0) { // the JDK's part of a selection
            now = it.ready(events, super.translateInterestOps(key.nioInterestOps()));
            JfsRegistration registration = key.selector() instanceof JfsSelector selector ? selector.registration(key) : null;
            if (registration != null) {
                registration.reported(now != 0);
            }
        }
        return super.translateReadyOps(now, before, key);
    }

    // Closing.

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        JfsEnd it = endNow();
        if (it == null) {
            tcpClose();
            return;
        }
        try {
            it.close();
        } catch (RuntimeException | Error e) { // a fault of JFS, or no memory: nobody else could close the connection
            tcpClose();
            throw e;
        }
    }

    @Override
    public void tcpClose() throws IOException {
        if (UNSAFE.compareAndSetInt(this, TCP_CLOSED, 0, 1)) { // the first of the threads that close a connection and its end
            super.implCloseSelectableChannel();
        }
    }

    @Override
    public void kill() {
        try {
            super.kill();
        } finally {
            afterLocks();
        }
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        try {
            super.implConfigureBlocking(block);
        } finally {
            afterLocks();
        }
    }

    /** The JDK has held the two locks. A thread that has closed the channel meanwhile has found them taken. */
    private void afterLocks() {
        JfsEnd it = endNow();
        if (it != null && !isOpen()) {
            it.afterClose();
        }
    }

    /** The JDK's text begins with the name of the superclass, which it takes for {@link SocketChannel}. */
    @Override
    public String toString() {
        String text = super.toString();
        return SocketChannel.class.getName() + text.substring(text.indexOf('['));
    }
}
