package jfs.scilib;

import java.io.IOException;
import jfs.config.Settings;
import jfs.config.Transports;
import jfs.nativelib.NativeLibrary;
import jfs.ring.InboxLayout;
import jfs.sisci.SciBell;
import jfs.transport.BuiltIn;

/**
 * Makes the ends of message queues. A queue carries bytes one way, from one sending to one receiving process, each in
 * Java or in C. The receiver creates it, under a number that is unique to its node, and the sender connects to it. Both
 * name the same sizes, and each names the other's node (on one host {@link #localNode}).
 *
 * <p>Bytes arrive once and in order. How they were grouped when they were sent does not show. What was sent before the
 * sender closed its end, or died, is received before the queue says that it has ended.
 *
 * <p>Only processes of the same user share a queue. Values that the other process writes into it are checked. A wrong value
 * gives {@link jfs.ring.CorruptRingException}, an IOException, and never a crash or an endless wait. The settings {@code
 * jfs.native.dir}, {@code jfs.sci.library} and {@code jfs.poll.micros} apply.
 */
public final class MessageQueues {

    /** The highest number of a queue; the lowest is 0. */
    public static final int ID_MAX = InboxLayout.QUEUE_ID_MAX;

    private MessageQueues() {
    }

    /**
     * The id of this process's node.
     *
     * @throws IOException if there is no native library for queues
     */
    public static int localNode() throws IOException {
        prepare();
        return SciBell.localNode();
    }

    /**
     * Makes the receiving end. Does not wait for a sender. The queue takes memory for the messages and some KiB more.
     *
     * @param senderNode the node where the sender will be, 1 to 65535
     * @param id the queue's number, 0 to {@link #ID_MAX}
     * @param maxCount how many messages of the longest kind the queue holds, at least 1
     * @param maxSize bytes of the longest message, at least 1
     * @return the receiving end, open until it is closed
     * @throws IOException if this node has a queue of that number, or there is no memory or native library for it
     * @throws IllegalArgumentException if a number is out of range, or the queue is larger than 64 MiB
     */
    public static QueueReceiver create(int senderNode, int id, int maxCount, int maxSize) throws IOException {
        int window = window(id, maxCount, maxSize);
        return new QueueReceiver(senderNode, id, window, prepare().pollMicros());
    }

    /**
     * Makes the sending end. Waits until the queue has been created. The receiver need not do anything else for that.
     *
     * @param receiverNode the node where the receiver is, 1 to 65535
     * @param id the queue's number, 0 to {@link #ID_MAX}
     * @param maxCount as the receiver has given it to {@link #create}
     * @param maxSize as the receiver has given it to {@link #create}
     * @param millis how long to wait for the queue in milliseconds, 0 or more
     * @return the sending end, open until it is closed
     * @throws IOException if the queue is not created in that time; if it has, or has had, a sender; if it was created with
     *             other sizes, by another user or by another version; or if there is no memory or native library
     * @throws java.io.InterruptedIOException if the thread was interrupted before the queue was there; the thread's interrupt
     *             status stays set
     * @throws IllegalArgumentException as {@link #create}
     */
    public static QueueSender connect(int receiverNode, int id, int maxCount, int maxSize, int millis) throws IOException {
        int window = window(id, maxCount, maxSize);
        return new QueueSender(receiverNode, id, window, millis, prepare().pollMicros());
    }

    private static int window(int id, int maxCount, int maxSize) {
        int window = InboxLayout.queueWindow(maxCount, maxSize);
        if (window == 0 || id < 0 || id > ID_MAX) {
            throw new IllegalArgumentException("queue " + id + " of " + maxCount + " messages of " + maxSize + " bytes");
        }
        return window;
    }

    /** Loads the native library. @return the settings of this process; their names are at {@link Settings} */
    private static Settings prepare() throws IOException {
        Settings settings = Settings.read(System.getProperties(), System.getenv());
        BuiltIn.lookForLibrariesIn(settings.nativeDir(), Transports.read(settings, BuiltIn.TRANSPORTS).settings());
        String reason = NativeLibrary.unavailable();
        if (reason != null) {
            throw new IOException(reason);
        }
        return settings;
    }
}
