package jdk.jfr.internal.handlers;

/** JDK 17 and 18. */
public abstract class EventHandler {

    public static native long timestamp();

    public final native boolean isEnabled();

    public final native boolean shouldCommit(long duration);

    /** Of a read. */
    public native void write(long start, long duration, String host, String address, int port, long timeout, long bytes, boolean end);

    /** Of a write. */
    public native void write(long start, long duration, String host, String address, int port, long bytes);
}
