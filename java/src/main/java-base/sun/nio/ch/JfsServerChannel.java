package sun.nio.ch;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.JfsListener;
import java.nio.channels.spi.SelectorProvider;
import java.util.Arrays;
import jdk.internal.misc.Unsafe;
import jdk.internal.reflect.ReflectionFactory;

/**
 * The JDK's listening TCP channel, whose accepted channels are {@link JfsChannel}s. The JDK accepts and makes a channel of its own. JFS
 * then makes a channel with the same state, and forgets the JDK's. A constructor with the descriptor would ask the kernel for the local
 * address once more, two system calls for each connection. So the new channel is made as a deserialised object is: only the constructor of
 * the superclass {@link SocketChannel} runs, and the fields of {@link SocketChannelImpl} are copied. No other thread has seen either
 * channel. {@code JdkClasses} of JFS has checked the names and types of these fields, and the methods that this class calls.
 */
final class JfsServerChannel extends ServerSocketChannelImpl {

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long LISTENER = UNSAFE.objectFieldOffset(JfsServerChannel.class, "listener");
    private static final Constructor<?> CHANNEL = channel();
    private static final long[] OBJECTS = fields(Object.class);
    private static final long[] LONGS = fields(long.class);
    private static final long[] INTS = fields(int.class);
    private static final long[] BOOLEANS = fields(boolean.class);

    /** Null before the channel listens, after it was closed, and if its connections stay plain. */
    private volatile JfsListener listener;

    JfsServerChannel(SelectorProvider provider) throws IOException {
        super(provider);
    }

    JfsServerChannel(SelectorProvider provider, ProtocolFamily family) throws IOException {
        super(provider, family);
    }

    /** Makes a JfsChannel, and runs the constructor of SocketChannel for it. */
    private static Constructor<?> channel() {
        try {
            return ReflectionFactory.getReflectionFactory().newConstructorForSerialization(JfsChannel.class,
                    SocketChannel.class.getDeclaredConstructor(SelectorProvider.class));
        } catch (NoSuchMethodException e) {
            throw new InternalError(e);
        }
    }

    /** The offsets of the fields that an instance of SocketChannelImpl has of a type; Object stands for all types of references. */
    private static long[] fields(Class<?> type) {
        Field[] fields = SocketChannelImpl.class.getDeclaredFields();
        long[] offsets = new long[fields.length];
        int count = 0;
        for (Field field : fields) {
            if (!Modifier.isStatic(field.getModifiers()) && type == (field.getType().isPrimitive() ? field.getType() : Object.class)) {
                offsets[count++] = UNSAFE.objectFieldOffset(field);
            }
        }
        return Arrays.copyOf(offsets, count);
    }

    @Override
    public ServerSocketChannel bind(SocketAddress local, int backlog) throws IOException {
        super.bind(local, backlog);
        JfsListener made = JfsFactory.listening(this);
        listener = made;
        // A thread that closes the channel marks it as closed before it looks for the listener. So at least one of the two finds it.
        if (!isOpen()) {
            closeListener();
        }
        return this;
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        try {
            super.implCloseSelectableChannel();
        } finally {
            closeListener();
        }
    }

    private void closeListener() {
        JfsListener it = (JfsListener) UNSAFE.getAndSetReference(this, LISTENER, null);
        if (it != null) {
            it.closed();
        }
    }

    @Override
    public SocketChannel accept() throws IOException {
        return adopt(super.accept());
    }

    /** The accept of the adaptor with a timeout. */
    @Override
    SocketChannel blockingAccept(long nanos) throws IOException {
        return adopt(super.blockingAccept(nanos));
    }

    private SocketChannel adopt(SocketChannel accepted) throws IOException {
        if (accepted == null) {
            return null;
        }
        JfsChannel channel;
        try {
            channel = (JfsChannel) CHANNEL.newInstance(provider());
        } catch (ReflectiveOperationException | RuntimeException | Error e) {
            JfsFactory.keepsJdks(e);
            return accepted; // the JDK's channel does all but JFS's part: there may be no memory for another one
        }
        try {
            copy(accepted, channel);
            return JfsChannel.accepted(channel, listener);
        } catch (Throwable e) { // nobody else could close the connection
            try {
                accepted.close();
            } catch (IOException close) {
                e.addSuppressed(close);
            }
            throw e;
        }
    }

    private static void copy(SocketChannel from, JfsChannel to) {
        for (long offset : OBJECTS) {
            UNSAFE.putReference(to, offset, UNSAFE.getReference(from, offset));
        }
        for (long offset : LONGS) {
            UNSAFE.putLong(to, offset, UNSAFE.getLong(from, offset));
        }
        for (long offset : INTS) {
            UNSAFE.putInt(to, offset, UNSAFE.getInt(from, offset));
        }
        for (long offset : BOOLEANS) {
            UNSAFE.putBoolean(to, offset, UNSAFE.getBoolean(from, offset));
        }
        UNSAFE.storeFence(); // as at the end of a constructor: some of the fields are final
    }

    /** The JDK's text begins with the name of the channel's class. */
    @Override
    public String toString() {
        String text = super.toString();
        return ServerSocketChannelImpl.class.getName() + text.substring(text.indexOf('['));
    }
}
