package jfs.monitor;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A connection stays on TCP. */
@Name("jfs.Fallback")
@Label("Fallback")
@Description("A connection stays on TCP, for now or for good")
@StackTrace(false)
final class FallbackEvent extends ConnectionEvent {

    @Label("Reason")
    @Description("The reason's name, as docs/reference.md lists them")
    String reason;

    @Label("Text")
    @Description("The reason in words")
    String text;
}
