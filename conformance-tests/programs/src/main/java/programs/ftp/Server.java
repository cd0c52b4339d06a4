package programs.ftp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.ftpserver.DataConnectionConfigurationFactory;
import org.apache.ftpserver.FtpServer;
import org.apache.ftpserver.FtpServerFactory;
import org.apache.ftpserver.ftplet.FtpException;
import org.apache.ftpserver.ftplet.UserManager;
import org.apache.ftpserver.listener.Listener;
import org.apache.ftpserver.listener.ListenerFactory;
import org.apache.ftpserver.usermanager.ClearTextPasswordEncryptor;
import org.apache.ftpserver.usermanager.PropertiesUserManagerFactory;
import org.apache.ftpserver.usermanager.impl.BaseUser;
import org.apache.ftpserver.usermanager.impl.WritePermission;
import org.mockftpserver.fake.FakeFtpServer;
import org.mockftpserver.fake.UserAccount;
import org.mockftpserver.fake.filesystem.DirectoryEntry;
import org.mockftpserver.fake.filesystem.FileEntry;
import org.mockftpserver.fake.filesystem.FileSystem;
import org.mockftpserver.fake.filesystem.UnixFakeFileSystem;
import programs.Bytes;
import programs.Console;

/**
 * Two servers with the same files. The first server keeps its files in memory and writes each file in one piece. The
 * second server's control connections are channels, and its data connections are sockets.
 */
public final class Server {

    static final String USER = "user";
    static final String PASSWORD = "secret";
    /** More bytes than the kernel's buffers take while the receiver does not read. */
    static final int LARGE = 6_000_017;
    static final int MANY = 1_000;

    private static final String HOST = "127.0.0.1";

    private Server() {
    }

    /** Arguments: the port of the second server's data connections in passive mode. */
    public static void main(String[] args) throws Exception {
        Console.open();
        Path home = Files.createTempDirectory(Path.of(""), "ftp-").toAbsolutePath();
        try {
            fill(home);
            FakeFtpServer first = first();
            first.start();
            Listener listener = listener(args[0]);
            FtpServer second = second(listener, home);
            second.start();
            Console.say("port " + first.getServerControlPort() + " " + listener.getPort());
            Console.awaitEnd();
            second.stop();
            first.stop();
        } finally {
            delete(home);
        }
    }

    private static FakeFtpServer first() {
        FileSystem files = new UnixFakeFileSystem();
        files.add(new DirectoryEntry("/home/many"));
        FileEntry large = new FileEntry("/home/large");
        large.setContents(Bytes.of(1, LARGE));
        files.add(large);
        for (int i = 0; i < MANY; i++) {
            files.add(new FileEntry("/home/many/file" + i, "" + i));
        }
        FakeFtpServer server = new FakeFtpServer();
        server.setServerControlPort(0);
        server.setFileSystem(files);
        server.addUserAccount(new UserAccount(USER, PASSWORD, "/home"));
        return server;
    }

    private static void fill(Path home) throws IOException {
        Files.write(home.resolve("large"), Bytes.of(1, LARGE));
        Path many = Files.createDirectory(home.resolve("many"));
        for (int i = 0; i < MANY; i++) {
            Files.writeString(many.resolve("file" + i), "" + i);
        }
    }

    private static Listener listener(String passivePort) {
        DataConnectionConfigurationFactory data = new DataConnectionConfigurationFactory();
        data.setPassivePorts(passivePort);
        ListenerFactory listener = new ListenerFactory();
        listener.setServerAddress(HOST);
        listener.setPort(0);
        listener.setDataConnectionConfiguration(data.createDataConnectionConfiguration());
        return listener.createListener();
    }

    private static FtpServer second(Listener listener, Path home) throws FtpException {
        PropertiesUserManagerFactory users = new PropertiesUserManagerFactory();
        users.setPasswordEncryptor(new ClearTextPasswordEncryptor());
        UserManager manager = users.createUserManager();
        BaseUser user = new BaseUser();
        user.setName(USER);
        user.setPassword(PASSWORD);
        user.setHomeDirectory(home.toString());
        user.setAuthorities(List.of(new WritePermission()));
        manager.save(user);
        FtpServerFactory server = new FtpServerFactory();
        server.setUserManager(manager);
        server.addListener("default", listener);
        return server.createServer();
    }

    private static void delete(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.sorted((a, b) -> b.compareTo(a)).toList();
        }
        for (Path file : all) {
            Files.delete(file);
        }
    }
}
