package jfs.conformance.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import jfs.JFSSocketImplFactory;

/** Connects to a test, echoes single bytes, and is killed. */
public final class EchoPeer {

    /** After this byte the peer reads no more. */
    static final byte STOP = 99;

    private EchoPeer() {
    }

    /** Arguments: whose provider is the default one, the port. Ends with the standard input. */
    public static void main(String[] args) throws IOException {
        if (Provider.valueOf(args[0]) == Provider.JFS) {
            JFSSocketImplFactory.install();
        }
        ByteBuffer one = ByteBuffer.allocate(1);
        InetSocketAddress test = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[1]));
        try (SocketChannel channel = SocketChannel.open(test)) {
            do {
                channel.read(one.clear());
                channel.write(one.flip());
            } while (one.get(0) != STOP);
            System.in.read();
        }
    }
}
