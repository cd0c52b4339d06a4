package jfs.nio;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Gives each channel an end, which writes down what it is told. Hook and ends are proxies: the tests' runner loads all classes before a
 * test has defined the interfaces, and a class that implements one of them could not be loaded.
 */
final class Recorder {

    private static final String SPI = "java.nio.channels.spi.";

    private final Map<SocketChannel, End> ends = new ConcurrentHashMap<>();
    private volatile boolean makesNone;

    /** From now on each new channel has an end. */
    void use() throws ReflectiveOperationException {
        Object hook = proxy("JfsHook", (proxy, method, arguments) -> {
            if (!method.getName().equals("end")) {
                throw new AssertionError(method);
            }
            if (makesNone) {
                throw new IllegalStateException("by the test");
            }
            End end = new End((boolean) arguments[1]);
            ends.put((SocketChannel) arguments[0], end);
            return proxy("JfsEnd", end);
        });
        Hooks.class.getDeclaredMethod("use", Class.forName(SPI + "JfsHook")).invoke(null, hook);
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

    /** What an end was told, and what it answers. */
    static final class End implements InvocationHandler {

        private final boolean accepted;
        private final List<String> calls = new ArrayList<>();
        private long received;
        private long sent;
        /** Which of the events that it is asked for it lets through. */
        private int interest = -1;
        private int ready = -1;
        private boolean throwsAtClose;

        private End(boolean accepted) {
            this.accepted = accepted;
        }

        @Override
        public synchronized Object invoke(Object proxy, Method method, Object[] arguments) {
            switch (method.getName()) {
                case "received":
                    received += (long) arguments[0];
                    return null;
                case "sent":
                    sent += (long) arguments[0];
                    return null;
                case "interest":
                    return (int) arguments[0] & interest;
                case "ready":
                    return (int) arguments[0] & ready;
                case "interestSet":
                    calls.add("interest " + arguments[1]);
                    return null;
                case "registered", "deregistered", "closing", "killed":
                    calls.add(method.getName());
                    if (throwsAtClose && method.getName().equals("closing")) {
                        throw new IllegalStateException("by the test");
                    }
                    return null;
                default:
                    throw new AssertionError(method);
            }
        }

        boolean isAccepted() {
            return accepted;
        }

        synchronized long received() {
            return received;
        }

        synchronized long sent() {
            return sent;
        }

        /** What it was told of selectors and of the close. */
        synchronized List<String> calls() {
            return List.copyOf(calls);
        }

        /** From now on the end throws when it is told of the close, though it must not. */
        synchronized void throwAtClose() {
            throwsAtClose = true;
        }

        synchronized void letThrough(int interestMask, int readyMask) {
            interest = interestMask;
            ready = readyMask;
        }
    }
}
