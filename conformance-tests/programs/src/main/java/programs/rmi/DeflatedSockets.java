package programs.rmi;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/** Makes sockets of classes of the program's own. Their streams compress. */
record DeflatedSockets() implements RMIClientSocketFactory, RMIServerSocketFactory, Serializable {

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return new DeflatedSocket(host, port);
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
        return new DeflatedServerSocket(port);
    }

    private static final class DeflatedServerSocket extends ServerSocket {

        DeflatedServerSocket(int port) throws IOException {
            super(port, 0, InetAddress.getLoopbackAddress());
        }

        @Override
        public Socket accept() throws IOException {
            Socket socket = new DeflatedSocket();
            implAccept(socket);
            return socket;
        }
    }

    private static final class DeflatedSocket extends Socket {

        private InputStream in;
        private OutputStream out;

        DeflatedSocket() {
        }

        DeflatedSocket(String host, int port) throws IOException {
            super(host, port);
        }

        @Override
        public synchronized InputStream getInputStream() throws IOException {
            if (in == null) {
                in = new InflaterInputStream(super.getInputStream());
            }
            return in;
        }

        @Override
        public synchronized OutputStream getOutputStream() throws IOException {
            if (out == null) {
                out = new DeflaterOutputStream(super.getOutputStream(), true);
            }
            return out;
        }
    }
}
