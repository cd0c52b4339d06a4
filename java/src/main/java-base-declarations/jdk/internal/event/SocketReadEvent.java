package jdk.internal.event;

import java.net.SocketAddress;

/** JDK 22 and later. */
public class SocketReadEvent {

    public static native boolean enabled();

    public static native long timestamp();

    public static native void offer(long start, long bytes, SocketAddress remote, long timeout);
}
