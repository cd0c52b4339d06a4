package jdk.jfr.events;

import jdk.jfr.internal.handlers.EventHandler;

/** JDK 17 and 18. */
public final class Handlers {

    public static final EventHandler SOCKET_READ = null;
    public static final EventHandler SOCKET_WRITE = null;
}
