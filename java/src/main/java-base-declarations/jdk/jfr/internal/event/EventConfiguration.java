package jdk.jfr.internal.event;

/** JDK 21. */
public final class EventConfiguration {

    public static native long timestamp();

    public native boolean isEnabled();

    public native boolean shouldCommit(long duration);
}
