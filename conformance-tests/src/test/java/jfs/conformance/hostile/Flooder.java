package jfs.conformance.hostile;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import jfs.nativelib.NativeLibrary;
import jfs.nativelib.Posix;

/**
 * Another process of the same user. It keeps a listener's rendezvous busy in one of several ways. It writes "ready" when it
 * has begun, and ends with its standard input.
 */
final class Flooder {

    static final int JOINS = 7;
    private static final int AT_ONCE = 300;

    private final String name;
    private final InetSocketAddress listener;
    private final Random random = new Random(1);

    private Flooder(int port) throws IOException {
        name = HostilePeer.name(port);
        listener = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port);
    }

    /** Arguments: the folder of the natives, the listener's port, the way. */
    public static void main(String[] args) throws Exception {
        NativeLibrary.lookIn(Path.of(args[0]), "shim", "shim");
        if (NativeLibrary.unavailable() != null) {
            throw new IllegalStateException(NativeLibrary.unavailable());
        }
        Flooder flooder = new Flooder(Integer.parseInt(args[1]));
        Thread worker = new Thread(() -> {
            try {
                flooder.flood(args[2]);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        worker.setDaemon(true);
        worker.start();
        while (System.in.read() >= 0) {
            // until the parent ends
        }
    }

    private void flood(String how) throws IOException {
        switch (how) {
            case "silent" -> keepOpen(new byte[0]);
            case "early" -> keepOpen(offer(true)); // for a connection that is never accepted
            case "comes and goes" -> {
                System.out.println("ready");
                for (;;) {
                    Posix.close(HostilePeer.connect(name));
                }
            }
            case "garbage" -> {
                System.out.println("ready");
                for (;;) {
                    byte[] message = offer(random.nextBoolean());
                    message[random.nextInt(message.length)] = (byte) random.nextInt();
                    int fd = HostilePeer.connect(name);
                    Posix.send(fd, message, random.nextInt(message.length + 1));
                    Posix.close(fd);
                }
            }
            case "slow" -> joinsThatTakeLong();
            default -> throw new IllegalArgumentException(how);
        }
    }

    private byte[] offer(boolean early) {
        InetSocketAddress nobody = new InetSocketAddress(listener.getAddress(), 1);
        return HostilePeer.offer(random.nextLong(), early, nobody, listener, new byte[20]);
    }

    /** Replaces the connections that were closed, so that there are always too many. */
    private void keepOpen(byte[] message) {
        List<Integer> open = new ArrayList<>();
        for (long count = 1;; count++) {
            int fd = HostilePeer.connect(name);
            Posix.send(fd, message, message.length);
            open.add(fd);
            if (open.size() > AT_ONCE) {
                Posix.close(open.remove(0));
            }
            if (count == AT_ONCE) {
                System.out.println("ready");
            }
        }
    }

    /** Real connections, and segments whose exporter never answers. */
    private void joinsThatTakeLong() throws IOException {
        int id = random.nextInt(0x0fffffff);
        int exporter = Posix.unixListen("sisci-shim/1/seg/4/" + Integer.toHexString(id), 8);
        List<SocketChannel> all = new ArrayList<>();
        List<Integer> visits = new ArrayList<>();
        for (int i = 0; i < JOINS; i++) {
            all.add(SocketChannel.open(listener));
            visits.add(HostilePeer.connect(name));
        }
        byte[] description = ByteBuffer.allocate(20).putInt(4).putInt(id).putInt(1)
                .putInt(HostilePeer.WINDOW).putInt(HostilePeer.OVERFLOW).array();
        for (int i = 0; i < JOINS; i++) {
            SocketChannel tcp = all.get(i);
            byte[] offer = HostilePeer.offer(1, true, (InetSocketAddress) tcp.getLocalAddress(),
                    (InetSocketAddress) tcp.getRemoteAddress(), description);
            Posix.send(visits.get(i), offer, offer.length);
        }
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < JOINS; i++) {
            answers.add(HostilePeer.reason(visits.get(i)));
            all.get(i).close();
        }
        Collections.sort(answers);
        Posix.close(exporter);
        System.out.println("ready " + answers);
    }
}
