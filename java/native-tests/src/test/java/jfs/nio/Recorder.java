package jfs.nio;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import jfs.nativelib.Posix;

/**
 * Gives each channel an end, which writes down what it is told, and leaves all bytes on TCP. Hook and ends are proxies: the tests' runner
 * loads all classes before a test has defined the interfaces, and a class that implements one of them could not be loaded.
 */
final class Recorder {

    private static final String SPI = "java.nio.channels.spi.";

    private final Map<SocketChannel, End> ends = new ConcurrentHashMap<>();
    private volatile boolean makesNone;
    private final int unsendable = Posix.epollCreate();

    /** From now on each new channel has an end. */
    void use() throws ReflectiveOperationException {
        Object hook = proxy("JfsHook", (proxy, method, arguments) -> switch (method.getName()) {
            case "connected" -> end((SocketChannel) arguments[0], false);
            case "accepted" -> end((SocketChannel) arguments[0], true);
            case "listening" -> proxy("JfsListener", (listener, told, none) -> null);
            case "newWaiting" -> null; // its selectors sleep in the kernel
            case "unsendable" -> unsendable;
            default -> throw new AssertionError(method);
        });
        Hooks.class.getDeclaredMethod("use", Class.forName(SPI + "JfsHook")).invoke(null, hook);
    }

    private Object end(SocketChannel channel, boolean accepted) throws ReflectiveOperationException {
        if (makesNone) {
            throw new IllegalStateException("by the test");
        }
        End end = new End(channel, accepted);
        if (ends.put(channel, end) != null) {
            throw new AssertionError("a second end for " + channel);
        }
        return proxy("JfsEnd", end);
    }

    private static Object proxy(String type, InvocationHandler handler) throws ClassNotFoundException {
        return Proxy.newProxyInstance(Recorder.class.getClassLoader(), new Class<?>[] {Class.forName(SPI + type)}, handler);
    }

    /** From now on the hook throws instead of making an end, though it must not. */
    void makeNone() {
        makesNone = true;
    }

    End of(SocketChannel channel) {
        return ends.get(channel);
    }

    /** Calls the only method of this name that a channel has as JFS sees it. */
    private static Object tcp(SocketChannel channel, String name, Object... arguments) throws Throwable {
        for (Method method : Class.forName(SPI + "JfsTcp").getMethods()) {
            if (method.getName().equals(name)) {
                try {
                    return method.invoke(channel, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            }
        }
        throw new AssertionError("no method " + name);
    }

    /** What an end was told, and what it answers. */
    static final class End implements InvocationHandler {

        private final SocketChannel channel;
        private final boolean accepted;
        private final List<String> calls = new ArrayList<>();
        private long received;
        private long sent;
        private long announced;
        private boolean filesStayOnTcp = true;
        private boolean throwsAtClose;

        // What it answers selectors. Bits of poll(2).
        private boolean hasPath;
        private int interest = -1;
        private int ready = -1;
        private int looked;
        private int armings;
        private int waits;

        private End(SocketChannel channel, boolean accepted) {
            this.channel = channel;
            this.accepted = accepted;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            String name = method.getName();
            switch (name) {
                case "doneReading":
                    ((ReentrantLock) tcp(channel, "tcpReadLock")).unlock();
                    return null;
                case "doneWriting":
                    ((ReentrantLock) tcp(channel, "tcpWriteLock")).unlock();
                    return null;
                case "available", "shutdownInput", "shutdownOutput", "setOption", "getOption":
                    note(name);
                    return tcp(channel, "tcp" + Character.toUpperCase(name.charAt(0)) + name.substring(1),
                            arguments == null ? new Object[0] : arguments);
                case "close":
                    note(name);
                    if (throwsAtClose) {
                        throw new IllegalStateException("by the test");
                    }
                    return tcp(channel, "tcpClose");
                case "readsByPath", "received", "writesByPath", "sending", "sent", "writeUrgent":
                    return bytes(method, arguments);
                default:
                    return answer(method, arguments);
            }
        }

        private synchronized void note(String call) {
            calls.add(call);
        }

        /** What comes under one of the channel's locks. */
        private Object bytes(Method method, Object[] arguments) throws Throwable {
            boolean reads = method.getName().equals("readsByPath") || method.getName().equals("received");
            ReentrantLock lock = (ReentrantLock) tcp(channel, reads ? "tcpReadLock" : "tcpWriteLock");
            if (!lock.isHeldByCurrentThread()) {
                throw new AssertionError(method + " without the lock");
            }
            switch (method.getName()) {
                case "received":
                    int last = (int) arguments[arguments.length - 1];
                    if (last < 0) {
                        note("end of the stream");
                    } else {
                        received += last;
                    }
                    return null;
                case "sending":
                    announced++;
                    return method.getReturnType() == int.class ? (int) announced : null;
                case "sent":
                    if ((long) arguments[1] < 0) {
                        note("sent an unknown number");
                    } else {
                        sent += (long) arguments[1];
                    }
                    if ((int) arguments[0] != -1 && (int) arguments[0] != announced) {
                        throw new AssertionError("not what sending has returned: " + arguments[0]);
                    }
                    return null;
                case "writeUrgent":
                    note("urgent");
                    return tcp(channel, "tcpSendUrgent", arguments);
                default:
                    return false; // all bytes stay on TCP
            }
        }

        private synchronized Object answer(Method method, Object[] arguments) {
            switch (method.getName()) {
                case "begin", "afterClose":
                    calls.add(method.getName());
                    return null;
                case "inOtherSelector":
                    calls.add(method.getName());
                    return null;
                case "sendsFileOverTcp":
                    calls.add("file");
                    return filesStayOnTcp;
                case "hasPath":
                    return hasPath;
                case "interest":
                    return (int) arguments[0] & interest;
                case "look":
                    return looked & (int) arguments[0];
                case "ready":
                    return ((int) arguments[0] & ready | looked) & (int) arguments[1];
                case "waited":
                    waits++;
                    return null;
                case "arm":
                    armings++;
                    return (looked & (int) arguments[0]) != 0 ? 0L : Long.MAX_VALUE;
                default:
                    throw new AssertionError(method);
            }
        }

        boolean isAccepted() {
            return accepted;
        }

        /** As the end was told under the read lock. Called when no other thread reads. */
        long received() {
            return received;
        }

        /** As the end was told under the write lock. */
        long sent() {
            return sent;
        }

        /** What it was told besides the numbers of bytes, and what it was asked to do. */
        synchronized List<String> calls() {
            return List.copyOf(calls);
        }

        /** From now on the end throws when it is to close the connection, though it must not. */
        void throwAtClose() {
            throwsAtClose = true;
        }

        /** From now on the kernel may not send files by the channel's descriptor. */
        synchronized void refuseFiles() {
            filesStayOnTcp = false;
        }

        /**
         * From now on selectors have to ask this end.
         *
         * @param interestMask what they may wait for at TCP
         * @param readyMask which of TCP's events it confirms
         * @param found what there is beside TCP
         */
        synchronized void path(int interestMask, int readyMask, int found) {
            hasPath = true;
            interest = interestMask;
            ready = readyMask;
            looked = found;
        }

        /** How often a selector that was about to sleep has armed this end. */
        synchronized int armings() {
            return armings;
        }

        /** How many waits of selectors have ended with news of this end. */
        synchronized int waits() {
            return waits;
        }

        void tellSelectors() {
            try {
                tcp(channel, "tellSelectors");
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        }
    }
}
