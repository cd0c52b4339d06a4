package jfs.transport.tcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import jfs.wait.Deadline;

/**
 * A listening socket over a channel. A channel binds and listens in one call, {@code java.net} in two calls, one right after
 * the other. So {@link #bind} only keeps the address, and an error of the address or the port shows in {@link #listen}.
 */
final class NioListener extends NioSocket<ServerSocketChannel> {

    /** Guarded by the state lock. */
    private InetSocketAddress local;
    private boolean listening;

    @Override
    ServerSocketChannel open() throws IOException {
        return ServerSocketChannel.open();
    }

    @Override
    public void bind(InetAddress host, int port) throws IOException {
        synchronized (stateLock) {
            ensureOpen();
            if (listening) {
                throw new SocketException("Already bound");
            }
            local = new InetSocketAddress(host, port);
        }
    }

    @Override
    public void listen(int backlog) throws IOException {
        synchronized (stateLock) {
            ensureOpen();
            if (local == null) {
                throw new SocketException("Not bound");
            }
            try {
                channel().bind(local, backlog); // a backlog below 1 means 50, as in java.net
            } catch (UnsupportedAddressTypeException e) {
                throw HostInfo.noIpv6();
            }
            listening = true;
            setLocal(local.getAddress()); // the address that the program has named: the channel's is :: for every wildcard
        }
    }

    @Override
    public NioConnection accept() throws IOException {
        long deadline = Deadline.in(timeout());
        if (!Deadline.lock(readLock(), deadline)) {
            throw new SocketTimeoutException("Accept timed out");
        }
        SocketChannel accepted;
        try {
            for (;;) {
                ensureOpen();
                accepted = tryAccept();
                if (accepted != null) {
                    break;
                }
                await(SelectionKey.OP_ACCEPT, deadline, "Accept timed out");
            }
        } finally {
            readLock().unlock();
        }
        return connectionOver(accepted);
    }

    private SocketChannel tryAccept() throws IOException {
        try {
            return channel().accept();
        } catch (NotYetBoundException e) {
            throw new SocketException("Not bound");
        } catch (ClosedChannelException e) {
            throw asSocketException(e);
        }
    }

    private NioConnection connectionOver(SocketChannel accepted) throws IOException {
        boolean done = false;
        try {
            synchronized (stateLock) {
                options().inherit(accepted);
            }
            NioConnection connection = new NioConnection(false);
            connection.takeAccepted(accepted);
            done = true;
            return connection;
        } finally {
            if (!done) {
                accepted.close();
            }
        }
    }
}
