package jfs.conformance.harness;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Socket;
import java.net.SocketOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.zip.CRC32;
import jfs.testing.Background;

/**
 * What a program sees of its sockets, in lines: results, and exceptions with class and message. Two runs of a program that
 * can't tell their sockets apart have the same lines. A line must not contain what differs from run to run. So a port is
 * written as the name that it was given.
 */
public final class Transcript {

    private final List<String> lines = new ArrayList<>();
    private final Map<Integer, String> ports = new LinkedHashMap<>();

    /** An action that returns nothing. */
    public interface Action {
        void run() throws Exception;
    }

    /** Gives a port its name in the lines that follow. */
    public Transcript port(String name, int port) {
        ports.put(port, '<' + name + '>');
        return this;
    }

    /** Calls this and writes down the result or the exception. The call is made in this thread. */
    public Transcript see(String what, Callable<?> call) {
        String result;
        try {
            result = text(call.call());
        } catch (Exception e) {
            result = "throws " + exception(e);
        }
        return line(what + ": " + result);
    }

    /** The same for an action that returns nothing. */
    public Transcript see(String what, Action action) {
        return see(what, () -> {
            action.run();
            return "done";
        });
    }

    /** Writes down the result of work in the background. The work must have ended or be about to end. */
    public Transcript see(String what, Background<?> background) {
        return see(what, background::result);
    }

    /** Writes down a line. */
    public synchronized Transcript line(String line) {
        lines.add(withNamesOfPorts(line));
        return this;
    }

    private String withNamesOfPorts(String line) {
        String named = line;
        for (Map.Entry<Integer, String> port : ports.entrySet()) {
            named = named.replaceAll("(?<!\\d)" + port.getKey() + "(?!\\d)", port.getValue());
        }
        return named;
    }

    /** All that shows the state of a socket. */
    public static String state(Socket socket) {
        return socket + (socket.isBound() ? " bound" : "") + (socket.isConnected() ? " connected" : "")
                + (socket.isClosed() ? " closed" : "") + ", local " + socket.getLocalSocketAddress() + ", remote "
                + socket.getRemoteSocketAddress();
    }

    private static String exception(Throwable e) {
        String text = e.getClass().getName() + ": " + e.getMessage();
        return e.getCause() == null ? text : text + " because of " + exception(e.getCause());
    }

    private static String text(Object value) {
        if (value instanceof byte[] bytes) {
            CRC32 checksum = new CRC32();
            checksum.update(bytes);
            return bytes.length + " bytes, CRC " + Long.toHexString(checksum.getValue());
        }
        if (value instanceof SocketOption<?> option) {
            return option.name();
        }
        if (value instanceof Collection<?> values) {
            return values.stream().map(Transcript::text).sorted().toList().toString();
        }
        return String.valueOf(value);
    }

    /** Compares two transcripts of a program. Fails with the first lines that differ. */
    public static void assertSame(String expected, String seen) {
        List<String> before = expected.lines().toList();
        List<String> now = seen.lines().toList();
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < Math.max(before.size(), now.size()) && differences.size() < 10; i++) {
            String was = i < before.size() ? before.get(i) : "nothing";
            String is = i < now.size() ? now.get(i) : "nothing";
            if (!was.equals(is)) {
                String after = i == 0 ? "" : ", after \"" + before.get(Math.min(i, before.size()) - 1) + '"';
                differences.add("line " + i + after + ":\n  the JDK's " + was + "\n  but here  " + is);
            }
        }
        assertTrue(differences.isEmpty(), () -> String.join("\n", differences));
    }

    @Override
    public synchronized String toString() {
        return String.join("\n", lines);
    }
}
