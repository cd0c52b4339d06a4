/**
 * NetPIPE 3.7 over plain {@link java.net.Socket}s: the message sizes, the timing, the output and the bytes on the wire
 * are NPtcp's, so that either end of a measurement may be the C program.
 *
 * <p>{@link netpipe.Sweep} goes through the {@link netpipe.Sizes}, {@link netpipe.Trial} is the loop that is timed,
 * {@link netpipe.Link} is what goes over the connection that an {@link netpipe.Endpoint} opens, and
 * {@link netpipe.Report} writes the results.
 */
package netpipe;
