package workloads.arrays;

import java.io.IOException;

/** How one end of a connection sends and receives arrays. One thread uses it. */
interface Transfer {
    /** Sends all elements. */
    void send(Elements message) throws IOException;

    /** Fills the message. */
    void receive(Elements message) throws IOException;
}
