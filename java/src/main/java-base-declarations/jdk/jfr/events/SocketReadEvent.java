package jdk.jfr.events;

/** JDK 19 to 21, as far as it is static. */
public final class SocketReadEvent {

    public static native void commit(long start, long duration, String host, String address, int port, long timeout, long bytes,
            boolean end);
}
