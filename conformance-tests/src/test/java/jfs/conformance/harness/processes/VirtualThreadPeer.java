package jfs.conformance.harness.processes;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import jfs.conformance.harness.Bytes;
import jfs.stat.Stats;
import jfs.testing.Await;
import jfs.testing.Background;
import jfs.testing.VirtualThreads;

/**
 * What a {@link Peer} does with thousands of connections, each with a virtual thread at either end. One peer listens and
 * serves, and the other one connects and asks. A request is its kind, how many bytes follow it, and how many bytes are to
 * come back.
 */
final class VirtualThreadPeer {

    private static final int HEADER = 9;
    /** A request that is answered at once. */
    private static final byte ECHO = 1;
    /** A request that is answered after a while. */
    private static final byte ECHO_LATER = 2;
    /** A request that is answered when {@link #open} allows it. */
    private static final byte HOLD = 3;

    private static final int LATER_MILLIS = 5;
    private static final int IMPATIENT_MILLIS = 2;
    private static final int PATIENT_MILLIS = 600_000;
    /** LARGE is more than small buffers take. MUCH is more than a fast path takes. */
    private static final int LARGE = 100_000;
    private static final int MUCH = 6_000_000;
    private static final int PIECE = 16_384;
    private static final int ENDLESS = 8;

    /** More than the connections that connect at the same time. */
    private static final int BACKLOG = 16_384;
    private static final int SMALL_BUFFER = 8_192;

    private final ConcurrentLinkedQueue<Background<?>> serving = new ConcurrentLinkedQueue<>();
    private final List<Conversation> conversations = new ArrayList<>();
    private List<Background<String>> waiting = List.of();
    private volatile CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger held = new AtomicInteger();
    private VirtualThreadPinning pinning;

    Object obey(String order, String[] words) throws Exception {
        switch (order) {
            case "listen" -> { // whether with small buffers
                return listen(Boolean.parseBoolean(words[3]));
            }
            case "served" -> {
                return served();
            }
            case "connect" -> // port, how many, whether with small buffers
                connect(Integer.parseInt(words[3]), Integer.parseInt(words[4]), Boolean.parseBoolean(words[5]));
            case "talk" -> { // rounds, whether all in the same manner
                return talk(Integer.parseInt(words[3]), Boolean.parseBoolean(words[4]));
            }
            case "read" -> begin(conversation -> conversation.ask(HOLD, 0, 1));
            case "write" -> { // how many of them write so much that a fast path blocks too
                List<Conversation> first = conversations.subList(0, Integer.parseInt(words[3]));
                Set<Conversation> talkative = Set.copyOf(first);
                begin(conversation -> conversation.ask(HOLD, talkative.contains(conversation) ? MUCH : LARGE, 1));
            }
            case "decided" -> { // how many, of all connections so far
                return Jfs.decided();
            }
            case "open" -> open(Integer.parseInt(words[3])); // how many requests have to be held then
            case "interrupt" -> // the modulus and the remainder of the numbers to interrupt
                part(words, waiting, each -> each.thread().interrupt());
            case "close" -> // the same
                part(words, conversations, each -> each.socket.close());
            case "shutdown" -> // the same
                part(words, conversations, each -> {
                    each.socket.shutdownInput();
                    each.socket.shutdownOutput();
                });
            case "ended" -> {
                String outcomes = outcomes(waiting);
                conversations.removeIf(conversation -> conversation.socket.isClosed());
                return outcomes;
            }
            case "hangUp" -> {
                for (Conversation conversation : conversations) {
                    conversation.socket.close();
                }
                conversations.clear();
            }
            case "heap" -> { // bytes in use
                System.gc();
                return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
            }
            case "watchPinning" -> pinning = new VirtualThreadPinning();
            case "pinned" -> {
                return pinning.seen();
            }
            default -> throw new IllegalArgumentException(order);
        }
        return "done";
    }

    // Methods of the end that listens.

    private int listen(boolean small) throws IOException {
        ServerSocket listener = new ServerSocket();
        if (small) {
            listener.setReceiveBufferSize(SMALL_BUFFER);
        }
        listener.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), BACKLOG);
        VirtualThreads.run(() -> {
            for (;;) {
                Socket socket = listener.accept();
                serving.add(VirtualThreads.call(() -> serve(socket)));
            }
        });
        return listener.getLocalPort();
    }

    /** Serves until the other end has no more requests. */
    private String serve(Socket socket) throws Exception {
        try (socket) {
            byte[] header = new byte[HEADER];
            long at = 0;
            while (readFully(socket.getInputStream(), header)) {
                ByteBuffer request = ByteBuffer.wrap(header);
                byte kind = request.get();
                int there = request.getInt();
                int back = request.getInt();
                if (kind == HOLD) {
                    hold();
                } else if (kind == ECHO_LATER) {
                    Thread.sleep(LATER_MILLIS);
                }
                Bytes.expect(socket.getInputStream(), 1, at, there);
                socket.getOutputStream().write(Bytes.of(2, at, back));
                at += Math.max(there, back);
            }
            return "end";
        } catch (EOFException | SocketException e) { // the other end has given a request up
            return "cut off";
        }
    }

    /** Returns the outcomes when all connections and their threads have ended. */
    private String served() throws Exception {
        Map<String, Integer> outcomes = new TreeMap<>();
        for (Background<?> one = serving.poll(); one != null; one = serving.poll()) {
            outcomes.merge((String) one.result(), 1, Integer::sum);
        }
        return outcomes.toString();
    }

    private void hold() throws InterruptedException {
        CountDownLatch before = gate;
        held.incrementAndGet();
        before.await();
        held.decrementAndGet();
    }

    /** Waits until so many requests are held, then lets all of them go on. */
    private void open(int many) throws Exception {
        Await.until(() -> many + " are held, but " + held, () -> held.get() == many);
        CountDownLatch opened = gate;
        gate = new CountDownLatch(1);
        opened.countDown();
    }

    // Methods of the end that connects.

    private void connect(int port, int many, boolean small) throws Exception {
        InetAddress address = InetAddress.getByName("127.0.0.1");
        List<Background<Conversation>> connecting = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            connecting.add(VirtualThreads.call(() -> {
                Socket socket = new Socket();
                if (small) {
                    socket.setSendBufferSize(SMALL_BUFFER);
                }
                socket.connect(new InetSocketAddress(address, port));
                Conversation conversation = new Conversation(socket);
                conversation.ask(ECHO, 1, 1);
                conversation.ask(ECHO, 1, 1); // this makes a conversation, which gets a fast path if there is one
                return conversation;
            }));
        }
        for (Background<Conversation> one : connecting) {
            conversations.add(one.result());
        }
    }

    /** One connection. One thread at a time uses it. */
    private static final class Conversation {
        final Socket socket;
        private long at;

        Conversation(Socket socket) {
            this.socket = socket;
        }

        String ask(byte kind, int there, int back) throws IOException {
            int first = Math.min(there, PIECE);
            ByteBuffer request = ByteBuffer.allocate(HEADER + first);
            request.put(kind).putInt(there).putInt(back).put(Bytes.of(1, at, first));
            socket.getOutputStream().write(request.array());
            for (int sent = first; sent < there; sent += PIECE) {
                socket.getOutputStream().write(Bytes.of(1, at + sent, Math.min(PIECE, there - sent)));
            }
            InputStream in = socket.getInputStream();
            byte[] buffer = new byte[Math.min(back, PIECE)];
            int came = 0;
            while (came < back) {
                int n;
                try {
                    n = in.read(buffer, 0, Math.min(buffer.length, back - came));
                } catch (SocketTimeoutException e) {
                    continue;
                }
                if (n < 0) {
                    return "end";
                }
                Bytes.check(2, at + came, buffer, n);
                came += n;
            }
            at += Math.max(there, back);
            return "answer";
        }
    }

    /** The ways in which conversations differ. */
    private enum Manner {
        LARGE {
            @Override
            void round(Conversation with, int size) throws IOException {
                with.ask(ECHO, VirtualThreadPeer.LARGE, VirtualThreadPeer.LARGE);
            }
        },
        THOUGHTFUL {
            @Override
            void round(Conversation with, int size) throws Exception {
                with.ask(ECHO, size, size);
                Thread.sleep(1);
            }
        },
        IMPATIENT {
            @Override
            void round(Conversation with, int size) throws IOException {
                with.socket.setSoTimeout(IMPATIENT_MILLIS);
                with.ask(ECHO_LATER, size, size);
            }
        },
        PATIENT {
            @Override
            void round(Conversation with, int size) throws IOException {
                with.socket.setSoTimeout(PATIENT_MILLIS);
                with.ask(ECHO, size, size);
            }
        },
        QUICK {
            @Override
            void round(Conversation with, int size) throws IOException {
                with.ask(ECHO, size, size);
            }
        };

        abstract void round(Conversation with, int size) throws Exception;

        static Manner of(int number) {
            return number % 16 < 4 ? values()[number % 16] : QUICK;
        }

        /** Manners that take longer have a quarter of the rounds. */
        int rounds(int ofQuickOnes) {
            return this == QUICK ? ofQuickOnes : ofQuickOnes / 4;
        }
    }

    /**
     * All conversations talk at the same time, to their ends. The first {@value #ENDLESS} don't pause, and don't end before
     * all others have. They are more than the carriers, so no other one comes to its end if they keep the carriers.
     */
    private String talk(int rounds, boolean alike) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        CountDownLatch left = new CountDownLatch(conversations.size() - ENDLESS);
        AtomicLong total = new AtomicLong();
        List<Background<Void>> talking = new ArrayList<>();
        for (int i = 0; i < conversations.size(); i++) {
            Conversation conversation = conversations.get(i);
            boolean endless = i < ENDLESS;
            Manner manner = alike || endless ? Manner.QUICK : Manner.of(i);
            int size = 1 + i % 200;
            talking.add(VirtualThreads.run(() -> {
                start.await();
                int n = 0;
                for (; endless ? left.getCount() > 0 : n < manner.rounds(rounds); n++) {
                    manner.round(conversation, size);
                }
                conversation.socket.close();
                total.addAndGet(n);
                left.countDown();
            }));
        }
        long began = System.nanoTime();
        start.countDown();
        if (!left.await(10 * Await.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError(left.getCount() + " don't come to their ends");
        }
        for (Background<Void> one : talking) {
            one.result();
        }
        long took = System.nanoTime() - began;
        conversations.clear();
        return total + " rounds in " + TimeUnit.NANOSECONDS.toMillis(took) + " ms";
    }

    private interface Step {
        String take(Conversation conversation) throws Exception;
    }

    /** Each conversation takes the step. Returns when all are blocked in it. */
    private void begin(Step step) throws Exception {
        List<Background<String>> begun = new ArrayList<>();
        for (Conversation conversation : conversations) {
            Callable<String> work = () -> {
                try {
                    return step.take(conversation);
                } catch (SocketException e) {
                    return e.getMessage();
                }
            };
            begun.add(VirtualThreads.call(work));
        }
        waiting = begun;
        int[] looks = {0};
        Thread.State[] last = {null};
        Await.until(() -> "all are blocked, but one is " + last[0], () -> {
            for (Background<String> one : begun) {
                last[0] = one.thread().getState();
                if (last[0] != Thread.State.WAITING && last[0] != Thread.State.TIMED_WAITING) {
                    looks[0] = 0;
                    return false;
                }
            }
            return ++looks[0] == 10;
        });
    }

    private interface Action<T> {
        void on(T each) throws Exception;
    }

    /** Acts on each selected element, with one virtual thread for each. */
    private static <T> void part(String[] words, List<T> all, Action<T> action) throws Exception {
        int modulus = Integer.parseInt(words[3]);
        int remainder = Integer.parseInt(words[4]);
        List<Background<Void>> acting = new ArrayList<>();
        for (int i = remainder; i < all.size(); i += modulus) {
            T each = all.get(i);
            acting.add(VirtualThreads.run(() -> action.on(each)));
        }
        for (Background<Void> one : acting) {
            one.result();
        }
    }

    private static String outcomes(List<Background<String>> of) throws Exception {
        Map<String, Integer> outcomes = new TreeMap<>();
        for (Background<String> one : of) {
            outcomes.merge(one.result(), 1, Integer::sum);
        }
        return outcomes.toString();
    }

    /** Needs JFS, which a plain peer does not have. */
    private static final class Jfs {

        static String decided() {
            long slow = Stats.fallbacks().values().stream().mapToLong(Long::longValue).sum();
            return (Stats.fast() + slow) + " " + Stats.fast();
        }
    }

    /** @return false at the end */
    private static boolean readFully(InputStream in, byte[] into) throws IOException {
        int came = 0;
        while (came < into.length) {
            int n = in.read(into, came, into.length - came);
            if (n < 0) {
                if (came > 0) {
                    throw new EOFException();
                }
                return false;
            }
            came += n;
        }
        return true;
    }
}
