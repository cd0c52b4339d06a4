package jfs.monitor;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** The peer process of a fast connection has gone without a word. */
@Name("jfs.Death")
@Label("Death")
@Description("The peer process of a fast connection, or the way to it, has gone without a word")
final class DeathEvent extends ConnectionEvent {

    @Label("Direction")
    @Description("in: a reader has found it; out: a writer")
    String direction;
}
