package workloads.network;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.apache.commons.net.ftp.FTP;
import org.apache.commons.net.ftp.FTPClient;
import org.apache.ftpserver.DataConnectionConfiguration;
import org.apache.ftpserver.DataConnectionConfigurationFactory;
import org.apache.ftpserver.FtpServer;
import org.apache.ftpserver.FtpServerFactory;
import org.apache.ftpserver.ftplet.UserManager;
import org.apache.ftpserver.listener.Listener;
import org.apache.ftpserver.listener.ListenerFactory;
import org.apache.ftpserver.usermanager.ClearTextPasswordEncryptor;
import org.apache.ftpserver.usermanager.PropertiesUserManagerFactory;
import org.apache.ftpserver.usermanager.UserFactory;
import org.apache.ftpserver.usermanager.impl.WritePermission;
import org.apache.mina.core.session.IoSession;
import org.apache.mina.transport.socket.SocketSessionConfig;

/**
 * FTP with Commons Net and Apache FtpServer, whose files are in memory. Each transfer has a data connection of its own, which the
 * client opens. The server uses channels for control connections and sockets for data connections.
 */
final class FtpTransfers implements Subject {
    private static final String USER = "user";
    private static final String PASSWORD = "secret";
    private static final int SMALL = 1 << 10;
    private static final int LARGE = 1 << 20;

    @Override
    public int serve(int port) throws Exception {
        PropertiesUserManagerFactory users = new PropertiesUserManagerFactory();
        users.setPasswordEncryptor(new ClearTextPasswordEncryptor());
        UserManager manager = users.createUserManager();
        UserFactory user = new UserFactory();
        user.setName(USER);
        user.setPassword(PASSWORD);
        user.setHomeDirectory("/");
        user.setAuthorities(List.of(new WritePermission()));
        manager.save(user.createUser());
        ListenerFactory listeners = new ListenerFactory();
        listeners.setServerAddress(HOST);
        listeners.setPort(port);
        listeners.setDataConnectionConfiguration(dataConnections());
        listeners.setSessionFilter(FtpTransfers::noDelay);
        Listener listener = listeners.createListener();
        FtpServerFactory factory = new FtpServerFactory();
        factory.setUserManager(manager);
        factory.addListener("default", listener);
        factory.setFileSystem(each -> new FtpFiles());
        FtpServer server = factory.createServer();
        server.start();
        return listener.getPort();
    }

    /**
     * The server's data connections use ports that Linux by default does not give to clients. Among the ports that Linux gives, the kernel
     * takes milliseconds to find a free one, once thousands belong to connections that have just been closed.
     */
    private static DataConnectionConfiguration dataConnections() {
        DataConnectionConfigurationFactory factory = new DataConnectionConfigurationFactory();
        factory.setPassivePorts("20000-20999");
        return factory.createDataConnectionConfiguration();
    }

    /** Sets TCP_NODELAY. Without it there are 40 ms between the two answers to a request, over any sockets. */
    private static boolean noDelay(IoSession session) {
        ((SocketSessionConfig) session.getConfig()).setTcpNoDelay(true);
        return true;
    }

    @Override
    public Operation operation(String name, int port) throws IOException {
        FTPClient ftp = new FTPClient();
        ftp.connect(HOST, port);
        if (!ftp.login(USER, PASSWORD) || !ftp.setFileType(FTP.BINARY_FILE_TYPE)) {
            throw new IOException(ftp.getReplyString());
        }
        ftp.enterLocalPassiveMode();
        byte[] large = new byte[LARGE];
        return switch (name) {
            case "small" -> () -> retrieve(ftp, SMALL);
            case "upload" -> () -> {
                if (!ftp.storeFile("new", new ByteArrayInputStream(large))) {
                    throw new IOException(ftp.getReplyString());
                }
            };
            case "download" -> () -> retrieve(ftp, LARGE);
            default -> throw Subject.unknown(name);
        };
    }

    private static void retrieve(FTPClient ftp, int bytes) throws IOException {
        Counter counter = new Counter();
        if (!ftp.retrieveFile(Integer.toString(bytes), counter)) {
            throw new IOException(ftp.getReplyString());
        }
        Subject.expect(counter.bytes == bytes);
    }

    /** Counts the bytes of a file and drops them. */
    private static final class Counter extends OutputStream {
        private int bytes;

        @Override
        public void write(int value) {
            bytes++;
        }

        @Override
        public void write(byte[] from, int offset, int length) {
            bytes += length;
        }
    }
}
