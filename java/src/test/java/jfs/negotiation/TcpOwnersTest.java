package jfs.negotiation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TcpOwnersTest {

    private static Tuple tuple(Socket end) {
        ByteBuffer bytes = ByteBuffer.allocate(Tuple.BYTES);
        bytes.put(Tuple.mapped(end.getLocalAddress())).putInt(0).putInt(end.getLocalPort());
        bytes.put(Tuple.mapped(end.getInetAddress())).putInt(0).putInt(end.getPort());
        return Tuple.read(bytes.flip());
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void theKernelKnowsWhoOwnsAnEnd(String address) throws Exception {
        int self = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        Tuple ofTheClient;
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getByName(address));
                Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
                Socket server = listener.accept()) {
            ofTheClient = tuple(client);
            assertEquals(self, TcpOwners.userOf(ofTheClient));
            assertEquals(self, TcpOwners.userOf(tuple(server)));
            assertEquals(tuple(server), ofTheClient.reversed());
            Tuple nobodys = Tuple.read(withAnotherPort(client));
            assertEquals(-1, TcpOwners.userOf(nobodys));
        }
    }

    /** From port 1 nobody has connected. */
    private static ByteBuffer withAnotherPort(Socket end) {
        ByteBuffer bytes = ByteBuffer.allocate(Tuple.BYTES);
        bytes.put(Tuple.mapped(end.getLocalAddress())).putInt(0).putInt(1);
        bytes.put(Tuple.mapped(end.getInetAddress())).putInt(0).putInt(end.getPort());
        return bytes.flip();
    }
}
