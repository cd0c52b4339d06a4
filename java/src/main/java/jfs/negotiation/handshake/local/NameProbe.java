package jfs.negotiation.handshake.local;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import jfs.nativelib.Posix;
import jfs.negotiation.handshake.Message;
import jfs.negotiation.handshake.Nonces;
import jfs.negotiation.handshake.Tuple;
import jfs.negotiation.handshake.Versions;
import jfs.negotiation.policy.MappedAddress;

/**
 * Asks the processes of this host whether they would take offers for connections to a listener, for the command {@code check}. It connects
 * to the names that the listener may have ({@link Names}) and offers a connection that can't exist: one from port 0. A process answers such
 * an offer as any offer for a connection that it does not hold. It counts nothing, and logs nothing but this: if it does not allow the user
 * of this process, it says so in its log, once. Its program sees no connection.
 */
public final class NameProbe {

    /** As long as a real offer waits. */
    private static final int ANSWER_MILLIS = 5_000;
    /** Every build speaks this version, and the answer to such an offer is the same in all of them. */
    private static final Versions FIRST = new Versions(1, 1);

    /** What a process does at one of the names. */
    public enum Kind {
        /** It answers as a process of JFS. */
        ANSWERS,
        /** It is of a user with whose processes this process shares no memory. It was sent nothing. */
        FOREIGN,
        /** It hangs up. It does so if its settings do not allow the user of this process. */
        HANGS_UP,
        /** It does not answer, or takes no further visitors: it is stopped or overloaded. */
        SILENT,
        /** What it sends is no answer. */
        NO_JFS
    }

    /**
     * A process that has one of the names.
     *
     * @param process its number; 0 if it is in another PID namespace, or is not known
     * @param user its user's number; -1 if that is not known
     */
    public record Answer(Kind kind, int process, long user) {
    }

    private NameProbe() {
    }

    /**
     * Asks all processes that have a name of that listener. Blocks for five seconds at most for each of them. Needs the native library.
     *
     * @param peers which processes this one may share memory with
     * @return an answer for each process; empty if no process has such a name
     */
    public static List<Answer> ask(InetAddress address, int port, PeerCredentials peers) {
        byte[] mapped = MappedAddress.of(address);
        Names.Search names = new Names.Search(null, MappedAddress.hex(mapped), port);
        List<Answer> answers = new ArrayList<>();
        for (String name = names.next(); name != null; name = names.next()) {
            int fd = Posix.unixConnect(null, name);
            if (fd >= 0) {
                try {
                    answers.add(ask(fd, mapped, port, peers));
                } finally {
                    Posix.close(fd);
                }
            } else if (fd == -Posix.EAGAIN) { // its backlog is full
                answers.add(new Answer(Kind.SILENT, 0, -1));
            }
        }
        return answers;
    }

    private static Answer ask(int fd, byte[] address, int port, PeerCredentials peers) {
        long credentials = Posix.peerCredentials(fd);
        boolean known = !PeerCredentials.isError(credentials);
        int process = known ? (int) credentials : 0;
        long user = known ? Integer.toUnsignedLong(PeerCredentials.user(credentials)) : -1;
        return new Answer(peers.mayShare(fd) ? answer(fd, address, port) : Kind.FOREIGN, process, user);
    }

    private static Kind answer(int fd, byte[] address, int port) {
        ByteBuffer tuple = ByteBuffer.allocate(Tuple.BYTES).put(address).putInt(0).putInt(0).put(address).putInt(0).putInt(port).flip();
        ByteBuffer offer = new Message.Offer(FIRST, false, Nonces.next(), Tuple.read(tuple), "", ByteBuffer.allocate(0)).encode();
        if (Posix.send(fd, offer.array(), offer.limit()) < 0) {
            return Kind.HANGS_UP;
        }
        if (Posix.poll(fd, Posix.POLLIN, -1, 0, ANSWER_MILLIS) == 0) {
            return Kind.SILENT;
        }
        byte[] bytes = new byte[Message.MAX_BYTES];
        int count = Posix.receive(fd, bytes);
        if (count <= 0) {
            return Kind.HANGS_UP;
        }
        return Message.Answer.decode(FIRST.newest(), ByteBuffer.wrap(bytes, 0, count)) == null ? Kind.NO_JFS : Kind.ANSWERS;
    }
}
