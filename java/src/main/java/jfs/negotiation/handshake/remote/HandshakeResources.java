package jfs.negotiation.handshake.remote;

import jfs.threads.EventLoop;

/**
 * What both halves of the handshake between hosts share.
 *
 * @param tasks for what a peer process can make slow
 */
public record HandshakeResources(EventLoop loop, Hosts hosts, BlockingTasks tasks) {

    public HandshakeResources(EventLoop loop, Hosts hosts) {
        this(loop, hosts, new BlockingTasks(loop));
    }
}
