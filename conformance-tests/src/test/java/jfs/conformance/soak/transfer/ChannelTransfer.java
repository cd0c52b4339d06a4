package jfs.conformance.soak.transfer;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.util.Random;

/** By a channel in blocking mode: its own methods, and now and then the streams of its adaptor. */
public final class ChannelTransfer implements Transfer {

    private static final int ADAPTOR_ONE_IN = 5;

    private final SocketChannel channel;
    private final Random random;
    private volatile int timeoutMillis;

    public ChannelTransfer(SocketChannel channel, Random random) {
        this.channel = channel;
        this.random = random;
    }

    /** Only the adaptor has a time-out. */
    @Override
    public int read(byte[] into, int most) throws IOException {
        if (timeoutMillis > 0 || random.nextInt(ADAPTOR_ONE_IN) == 0) {
            return channel.socket().getInputStream().read(into, 0, most);
        }
        try (Buffers buffers = new Buffers(into, most, false, random)) {
            return buffers.read(channel);
        }
    }

    @Override
    public void write(byte[] from) throws IOException {
        if (random.nextInt(ADAPTOR_ONE_IN) == 0) {
            channel.socket().getOutputStream().write(from);
            return;
        }
        try (Buffers buffers = new Buffers(from, from.length, true, random)) {
            while (buffers.hasRemaining()) {
                buffers.write(channel);
            }
        }
    }

    @Override
    public void timeout(int millis) throws IOException {
        channel.socket().setSoTimeout(millis);
        timeoutMillis = millis;
    }

    @Override
    public void noDelay(boolean on) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, on);
    }

    @Override
    public int localPort() {
        return channel.socket().getLocalPort();
    }

    @Override
    public void shutdownOutput() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public void reset() throws IOException {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.close();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public void interrupt(Thread user) {
        user.interrupt();
    }

    @Override
    public boolean isClosedByInterrupt() {
        return true;
    }

    @Override
    public boolean isInterruption(IOException e) {
        return e instanceof ClosedByInterruptException;
    }
}
