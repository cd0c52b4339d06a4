package jfs.buffers;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;
import jfs.buffers.elements.Checks;
import jfs.buffers.pool.BufferPool;

/**
 * A message of typed sections, which a program packs, sends, receives and unpacks. A section has elements of one type: one of Java's
 * primitive types, in direct memory, from which a channel, or a typed stream of a socket, sends without another copy; or
 * objects, which are serialized. The class {@code MessageFormat} in the sources draws where everything lies.
 *
 * <p><b>States.</b> A new message is <em>written</em>: its {@link #writer} adds sections. {@link #commit} makes it one that is
 * <em>read</em>, by its {@link #reader}, and that may be sent, as often as the program likes. A message that was received is read too.
 * {@link #clear} begins anew. {@link #close} gives the memory back. A call that does not belong to the state is an {@link
 * IllegalStateException}.
 *
 * <p><b>Errors leave nothing half done.</b> Each call checks its arguments, the bounds, the type and the room before it copies. After an
 * exception the message and the program's arrays are as they were before.
 *
 * <p><b>Byte order.</b> A section has the byte order that {@link #order(ByteOrder)} has set, the native one by default. A reader need not
 * know: the section's header tells, and elements in the other order are converted.
 *
 * <p><b>Garbage.</b> Once a message has handled a type, reading and writing of primitive types allocate nothing; also not if the message
 * is cleared and used again. Sending and receiving allocate a small object or two. What allocates is objects, and growing.
 *
 * <p><b>Threads.</b> A message is for one thread at a time. The methods that send and receive block, as their channel or stream does; no
 * other method blocks.
 */
public final class PackedMessage implements AutoCloseable {

    /** The bytes of a message without a section. */
    public static final int PREFIX_BYTES = MessageFormat.PREFIX;

    private static final int GREATEST = Integer.MAX_VALUE & ~7;

    private enum State {
        WRITTEN, READ, CLOSED
    }

    private final int most;
    private final MessageMemory memory;
    private final ObjectSections objects = new ObjectSections();
    private final SectionWriter writer;
    private final SectionReader reader;
    private final MessageTransfer transfer;
    private State state = State.WRITTEN;

    private PackedMessage(int capacity, int most, BufferPool pool) {
        this.most = most;
        memory = new MessageMemory(capacity, pool);
        writer = new SectionWriter(this, memory, objects, most);
        reader = new SectionReader(this, memory, objects);
        transfer = new MessageTransfer(memory);
    }

    /**
     * A message of a fixed size, in direct memory that the garbage collector frees.
     *
     * @param capacity the bytes of the message with its headers, at least 16 (see {@link #sectionBytes}). It is rounded up to a multiple
     *            of 8
     * @throws IllegalArgumentException if the capacity is less than 16 or more than 2,147,483,640
     */
    public static PackedMessage allocate(int capacity) {
        int rounded = rounded("capacity", capacity, PREFIX_BYTES);
        return new PackedMessage(rounded, rounded, null);
    }

    /**
     * A message that grows as far as it may, in direct memory of a pool. {@link #close} gives the memory back. The memory stays as large
     * as it has become. If the pool has no larger memory when the message has to grow, the call throws {@link
     * jfs.buffers.pool.PoolExhaustedException}. What was written before stays then. A message that was to be received is lost, and its
     * stream can't be used any more: it stands inside of that message.
     *
     * @param capacity the bytes at the begin, at least 16. It is rounded up to a multiple of 8
     * @param maximum the most bytes of a message, its objects included, at least the capacity. It is also what limits how much memory a
     *            peer can make this program allocate for a message. It is rounded up to a multiple of 8
     * @throws IllegalArgumentException if a number is not allowed
     */
    public static PackedMessage allocate(int capacity, int maximum, BufferPool pool) {
        int rounded = rounded("capacity", capacity, PREFIX_BYTES);
        return new PackedMessage(rounded, rounded("maximum", maximum, rounded), Objects.requireNonNull(pool, "pool"));
    }

    private static int rounded(String name, int bytes, int least) {
        if (bytes < least && bytes < least - 7 || bytes > GREATEST || bytes < PREFIX_BYTES) {
            throw new IllegalArgumentException(name + " is " + bytes + "; allowed is " + least + " to " + GREATEST);
        }
        return Math.max(least, (int) MessageFormat.padded(bytes));
    }

    /**
     * The bytes of a section with its header and its padding, for the choice of a capacity: {@link #PREFIX_BYTES} and those of all
     * sections. Of {@link BasicType#OBJECT} this is without the serialized objects.
     *
     * @throws IllegalArgumentException if the count is below 0
     */
    public static long sectionBytes(BasicType<?> type, int count) {
        Checks.notNegative("count", count);
        return MessageFormat.HEADER + MessageFormat.body(type, count);
    }

    private void require(State wanted) {
        if (state != wanted) {
            throw new IllegalStateException("the message is " + switch (state) {
                case WRITTEN -> "being written; it can be read and sent after commit()";
                case READ -> "committed, or was received; it can be written and received into after clear()";
                case CLOSED -> "closed";
            });
        }
    }

    /** @throws IllegalStateException if no section may be written */
    void requireWritten() {
        require(State.WRITTEN);
    }

    /** @throws IllegalStateException if no section may be read */
    void requireRead() {
        require(State.READ);
    }

    private void requireOpen() {
        if (state == State.CLOSED) {
            require(State.WRITTEN);
        }
    }

    /**
     * Sets the byte order of the sections that are written from now on. {@link #clear} keeps it.
     *
     * @return this message
     */
    public PackedMessage order(ByteOrder order) {
        requireOpen();
        writer.order(Objects.requireNonNull(order, "order"));
        return this;
    }

    /** The byte order of the sections that are written next. */
    public ByteOrder order() {
        return writer.order();
    }

    /**
     * Sets which classes objects from a peer may have. A peer is not trusted: the methods of a class that it names run when an object is
     * read, and with some classes of large libraries that is enough to take over a process.
     *
     * <p>Without a filter only values are read: strings, the wrappers of primitive types, {@code BigInteger}, {@code BigDecimal}, and
     * arrays of these, of {@code Object} and of primitive types. They run no code of the program, and take no longer than their bytes are
     * long. What the filter leaves {@code UNDECIDED} is decided in the same way, so {@code
     * ObjectInputFilter.Config.createFilter("com.example.Point")} allows one class more. In any case an array with more elements than its
     * bytes can have is rejected, and objects that lie more than 200 deep in each other. A filter of the whole JVM ({@code
     * jdk.serialFilter}) is asked too.
     *
     * @param filter null: values only
     * @return this message
     */
    public PackedMessage objectFilter(ObjectInputFilter filter) {
        requireOpen();
        objects.filter(filter);
        return this;
    }

    /** The bytes of the message so far, as they are sent. */
    public int bytes() {
        requireOpen();
        return writer.end() + objects.bytes().length();
    }

    /** The number of sections so far, also of those that were read. */
    public int sections() {
        requireOpen();
        return writer.sections();
    }

    /** What adds sections while the message is written. Always the same object. */
    public SectionWriter writer() {
        return writer;
    }

    /** What reads the sections of a message that was committed or received. Always the same object. */
    public SectionReader reader() {
        return reader;
    }

    /** Ends the writing. @throws IllegalStateException if the message is not being written */
    public void commit() {
        require(State.WRITTEN);
        writer.putPrefix();
        state = State.READ;
        reader.start(writer.end());
    }

    /**
     * Sends the message to a channel, from its own memory. The message can be sent again. Blocks until the channel has taken all bytes.
     *
     * @throws IOException that the channel has thrown. A part of the message may be sent then; the message itself is as before
     * @throws java.nio.channels.IllegalBlockingModeException if the channel is in non-blocking mode
     * @throws IllegalStateException if the message is not committed
     */
    public void send(WritableByteChannel channel) throws IOException {
        require(State.READ);
        transfer.write(channel, writer.end(), objects.bytes());
    }

    /**
     * Sends the message to a stream, in pieces of up to 16 KB, because a stream takes arrays only. A stream that is a channel too, such as
     * a {@code jfs.streams.TypedOutput}, is used as a channel: it takes the message's own memory. The stream is not flushed. Else as
     * {@link #send}.
     *
     * @throws IOException that the stream has thrown
     * @throws IllegalStateException if the message is not committed
     */
    public void writeTo(OutputStream out) throws IOException {
        if (out instanceof WritableByteChannel channel) {
            send(channel);
            return;
        }
        require(State.READ);
        transfer.write(out, writer.end(), objects.bytes());
    }

    /**
     * Receives one message from a channel, into its own memory. The message is read then. Exactly the bytes of this message are taken from
     * the channel. Blocks until they are there. The headers of all sections are checked before this method returns.
     *
     * @return false if the channel has ended before the first byte of a message; the message is as before then
     * @throws MalformedMessageException if what came is no message, or one with more bytes than the maximum. As after all exceptions, the
     *             message is cleared then, and the channel is of no more use, because it is not known where the next message begins
     * @throws java.io.EOFException if the channel has ended inside of the message
     * @throws IOException that the channel has thrown
     * @throws java.nio.channels.IllegalBlockingModeException if the channel is in non-blocking mode
     * @throws IllegalStateException if the message is not new or cleared
     */
    public boolean receive(ReadableByteChannel channel) throws IOException {
        requireCleared();
        try {
            return received(transfer.read(channel, most, objects.bytes()));
        } finally {
            forgetIfFailed();
        }
    }

    /**
     * Receives one message from a stream. A stream that is a channel too, such as a {@code jfs.streams.TypedInput}, is used as a channel.
     * Else as {@link #receive}.
     *
     * @return false if the stream has ended before the first byte of a message; the message is as before then
     * @throws MalformedMessageException if what came is no message, or one with more bytes than the maximum
     * @throws java.io.EOFException if the stream has ended inside of the message
     * @throws IOException that the stream has thrown
     * @throws IllegalStateException if the message is not new or cleared
     */
    public boolean readFrom(InputStream in) throws IOException {
        if (in instanceof ReadableByteChannel channel) {
            return receive(channel);
        }
        requireCleared();
        try {
            return received(transfer.read(in, most, objects.bytes()));
        } finally {
            forgetIfFailed();
        }
    }

    private void requireCleared() {
        require(State.WRITTEN);
        if (writer.sections() > 0) {
            throw new IllegalStateException("the message has " + writer.sections() + " sections; it can be received into after clear()");
        }
    }

    private boolean received(boolean complete) {
        if (complete) {
            writer.takePrefix();
            state = State.READ;
            reader.start(writer.end());
        }
        return complete;
    }

    private void forgetIfFailed() {
        if (state != State.READ) {
            objects.clear();
        }
    }

    /** Forgets all sections, so that the message is written anew, or received. @throws IllegalStateException if it is closed */
    public void clear() {
        requireOpen();
        writer.clear();
        objects.clear();
        state = State.WRITTEN;
    }

    /** Gives the memory back. A second call has no effect. */
    @Override
    public void close() {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            objects.clear();
            memory.free();
        }
    }

    @Override
    public String toString() {
        return state == State.CLOSED ? "message, closed"
                : "message of " + bytes() + " bytes in " + writer.sections() + " sections, " + (state == State.READ ? "read" : "written");
    }
}
