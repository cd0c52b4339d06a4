package jfs.monitor;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;

/** A thread has slept for bytes, or for room for them, by a fast path. */
@Name("jfs.Sleep")
@Label("Sleep")
@Description("A thread has slept until bytes came by the fast path (in), or until there was room for them (out)")
@Threshold("20 ms")
final class SleepEvent extends ConnectionEvent {

    @Label("Direction")
    @Description("in: a reader has slept; out: a writer")
    String direction;
}
