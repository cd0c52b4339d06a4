package programs.rmi;

import java.io.IOException;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;

/** Makes ordinary sockets and sets their options before they are connected or bound. */
record TunedSockets() implements RMIClientSocketFactory, RMIServerSocketFactory, Serializable {

    private static final int BUFFER = 128 << 10;

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            socket.setSendBufferSize(BUFFER);
            socket.setReceiveBufferSize(BUFFER);
            socket.setPerformancePreferences(0, 1, 0);
            socket.connect(new InetSocketAddress(host, port), 10_000);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            socket.setReceiveBufferSize(BUFFER);
            socket.setPerformancePreferences(0, 1, 0);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 10);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }
}
