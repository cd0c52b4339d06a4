package workloads.arrays;

/**
 * How elements get into a buffer of {@code java.nio}.
 *
 * <p>Source: Niels Drost, Using the new Java I/O interface in parallel computing, chapter 4. There the elements are converted to and from
 * a {@code byte[]}; here a channel sends them from the buffer.
 */
enum Conversion {
    /** One element after the other, into a direct buffer as long as the message. */
    SIMPLE,
    /** All elements by one call, into a new view of a {@code byte[]}; a message of at most 8 KB into the direct buffer of CHUNK. */
    WRAP,
    /** By one call for each piece of 8 KB, through one direct buffer and one view of it. */
    CHUNK,
    /** Below 512 bytes one element after the other, else as CHUNK. */
    HYBRID
}
