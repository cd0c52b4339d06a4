package jfs.connection;

import jfs.config.Settings;
import jfs.negotiation.Negotiator;

/** What all connections of a process share. Thread-safe. Nothing here blocks. */
public interface Environment {

    Settings settings();

    Negotiator negotiator();

    /** The watch over connections that have a fast path. It makes idle ones give their memory back. */
    IdleWatch idleWatch();

    /** Whether the reader of a plain connection may poll the TCP socket: the native library is loaded, and a poll is allowed to last. */
    boolean pollsTcp();

    /** Called when a connection has begun, on the program's thread. */
    default void connectionBegan() {
    }
}
