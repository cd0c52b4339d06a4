package jfs.negotiation.handshake.remote;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import jfs.nativelib.Posix;
import jfs.negotiation.handshake.Endpoint;
import jfs.negotiation.handshake.StreamPrefix;
import jfs.spi.FastPath;
import jfs.spi.TcpDescriptor;
import jfs.stat.Reason;
import jfs.testing.Await;

/** One end of a TCP connection without a Java socket. It records the outcome of its negotiation. */
final class End implements Endpoint, TcpDescriptor, AutoCloseable {

    private final int fd;
    private final CompletableFuture<String> outcome = new CompletableFuture<>();
    private final StreamPrefix prefix = new StreamPrefix();

    End(int fd) {
        this.fd = fd;
    }

    /** The program of this end has sent the one text, and the peer's program has received the other one. */
    void sentTo(End peer, String sent, String received) {
        prefix.sending(sent.getBytes(), 0, sent.length());
        peer.prefix.received(received.getBytes(), 0, received.length());
    }

    void sentTo(End peer, String text) {
        sentTo(peer, text, text);
    }

    String outcome() throws Exception {
        return outcome.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    boolean isDecided() {
        return outcome.isDone();
    }

    @Override
    public TcpDescriptor tcp() {
        return this;
    }

    @Override
    public int acquire() {
        return fd;
    }

    @Override
    public void release() {
    }

    @Override
    public boolean hasEvent() {
        return Posix.poll(fd, Posix.POLLIN, -1, 0, 0) != 0;
    }

    @Override
    public StreamPrefix streamPrefix() {
        return prefix;
    }

    @Override
    public boolean attach(FastPath path) {
        return outcome.complete(path.transport());
    }

    @Override
    public void defer(Reason reason, String detail) {
        outcome.complete(reason.name());
    }

    @Override
    public void fallback(Reason reason, String detail) {
        outcome.complete(reason.name());
    }

    @Override
    public void close() {
        Posix.close(fd);
    }
}
