package jfs.negotiation.handshake.remote;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import jfs.negotiation.handshake.Nonces;
import jfs.stat.Reason;

/**
 * Asks the processes of another host whether they would take offers for connections to a listener, for the command {@code check}. It
 * connects to the rendezvous ports of that host, begins the conversation of an offer ({@link HostMessage}) and hangs up before the offer. A
 * process that meets this logs and counts nothing. No program sees a connection.
 */
public final class RendezvousProbe {

    /** As long as a real offer waits for a connection, and for an answer. */
    private static final int CONNECT_MILLIS = 4_000;
    private static final int ANSWER_MILLIS = 5_000;

    /**
     * What there is at one of the ports.
     *
     * @param port the rendezvous port
     * @param refusal why the process there would take no offer; null if it would, and has proved that it has the key
     * @param detail says more than the reason's own text; may be null
     */
    public record Answer(int port, Reason refusal, String detail) {
    }

    private RendezvousProbe() {
    }

    /**
     * Asks one port after the other, until a process would take offers. Blocks for nine seconds at most for each port, and for four in all
     * if the host does not answer.
     *
     * @param port the listener's port, by which the processes there find their rules
     * @param trusted whether the rule of this end asks for no key
     * @return an answer for each port at which there is something; the last one tells if a process would take offers. Empty if no process
     *         listens at any of the ports
     */
    public static List<Answer> ask(InetAddress host, int port, Hosts hosts, boolean trusted) {
        List<Answer> answers = new ArrayList<>();
        for (int at = hosts.firstPort(); at <= hosts.lastPort(); at++) {
            try (Socket socket = new Socket()) {
                try {
                    socket.connect(new InetSocketAddress(host, at), CONNECT_MILLIS);
                } catch (ConnectException e) {
                    continue; // no process listens there
                } catch (IOException e) { // the host can't be reached, or a firewall drops what is sent to it
                    answers.add(new Answer(at, Reason.NO_RENDEZVOUS, "port " + at + ": " + e.getMessage()));
                    return answers;
                }
                Answer answer = ask(socket, at, port, hosts.key(trusted), trusted);
                answers.add(answer);
                if (answer.refusal() == null) {
                    return answers;
                }
            } catch (IOException e) { // thrown by close alone, when there is nothing more to do
                continue;
            }
        }
        return answers;
    }

    private static Answer ask(Socket socket, int at, int port, HostKey key, boolean trusted) {
        ByteBuffer hello =
                new HostMessage.Hello(HostMessage.VERSION, !trusted, port, Nonces.bytes(HostMessage.NONCE_BYTES)).encode();
        Transcript transcript = new Transcript(key, hello);
        ByteBuffer challenge;
        try {
            socket.setSoTimeout(ANSWER_MILLIS);
            ByteBuffer frame = ByteBuffer.allocate(Short.BYTES + hello.remaining()).putShort((short) hello.remaining()).put(hello);
            socket.getOutputStream().write(frame.array());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            int length = in.readUnsignedShort();
            if (length > HostMessage.MAX_BYTES) {
                return noJfs(at);
            }
            challenge = ByteBuffer.wrap(in.readNBytes(length));
        } catch (IOException e) {
            return new Answer(at, Reason.NO_RENDEZVOUS, "port " + at + " hung up, or did not answer in time");
        }
        try {
            Reason refusal = HostMessage.refusal(challenge);
            if (refusal != null) {
                return new Answer(at, refusal, "the peer says: " + refusal.text());
            }
            return new Answer(at, HostMessage.isProof(transcript, challenge) ? null : Reason.WRONG_KEY, null);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            return noJfs(at);
        }
    }

    private static Answer noJfs(int at) {
        return new Answer(at, Reason.BAD_MESSAGE, "port " + at + " is not of a process of JFS");
    }
}
