package workloads.layouts;

import java.io.IOException;

/** How one end of a connection sends and receives vectors. One thread uses it. */
interface Transfer {
    void send(Vector vector) throws IOException;

    void receive(Vector vector) throws IOException;
}
