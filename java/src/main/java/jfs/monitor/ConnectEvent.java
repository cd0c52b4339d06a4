package jfs.monitor;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A connection has begun. */
@Name("jfs.Connect")
@Label("Connect")
@Description("A connection of JFS has begun: the program has opened or accepted it. Its bytes go over TCP")
final class ConnectEvent extends ConnectionEvent {
}
