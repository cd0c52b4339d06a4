package netpipe;

import java.io.IOException;

/**
 * The loops that are timed. They send and receive one message after the other and do nothing else: no clock, no
 * allocation, one write a message.
 */
final class Trial {

    private final Link link;
    private final Buffers buffers;
    private final boolean stream;
    private final boolean integrity;

    /**
     * @param stream whether messages go one way only
     * @param integrity whether to check the contents of what arrives
     */
    Trial(Link link, Buffers buffers, boolean stream, boolean integrity) {
        this.link = link;
        this.buffers = buffers;
        this.stream = stream;
        this.integrity = integrity;
    }

    /** Sends first. When the peer does so too, messages pass in both directions at once. */
    void initiate(int repeats) throws IOException {
        for (int i = 0; i < repeats; i++) {
            send();
            if (!stream) {
                receive();
            }
        }
    }

    /** Receives first. */
    void respond(int repeats) throws IOException {
        for (int i = 0; i < repeats; i++) {
            receive();
            if (!stream) {
                send();
            }
        }
    }

    private void send() throws IOException {
        if (integrity) {
            buffers.fill();
        }
        link.send(buffers.sendArea, buffers.sendAt, buffers.length);
        buffers.advanceSend();
    }

    private void receive() throws IOException {
        if (integrity) {
            buffers.wipe();
        }
        link.receive(buffers.receiveArea, buffers.receiveAt, buffers.length);
        if (integrity) {
            buffers.verify();
        }
        buffers.advanceReceive();
    }
}
