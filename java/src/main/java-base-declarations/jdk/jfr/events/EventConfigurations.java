package jdk.jfr.events;

import jdk.jfr.internal.event.EventConfiguration;

/** JDK 19 to 21. */
public final class EventConfigurations {

    public static final EventConfiguration SOCKET_READ = null;
    public static final EventConfiguration SOCKET_WRITE = null;
}
