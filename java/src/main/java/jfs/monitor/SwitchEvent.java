package jfs.monitor;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A direction of a connection has switched. */
@Name("jfs.Switch")
@Label("Switch")
@Description("What this end of a connection reads (in) or writes (out) goes by the fast path from now on")
@StackTrace(false)
final class SwitchEvent extends ConnectionEvent {

    @Label("Direction")
    @Description("in: what this end reads; out: what it writes")
    String direction;

    @Label("Transport")
    String transport;

    @Label("Bytes over TCP")
    @Description("What went over TCP before the switch")
    @DataAmount
    long bytesOverTcp;
}
