package workloads.network;

import com.icegreen.greenmail.Managers;
import com.icegreen.greenmail.imap.ImapHandler;
import com.icegreen.greenmail.server.AbstractServer;
import com.icegreen.greenmail.server.ProtocolHandler;
import com.icegreen.greenmail.util.ServerSetup;
import jakarta.mail.Folder;
import jakarta.mail.Message;
import jakarta.mail.Session;
import jakarta.mail.Store;
import java.io.ByteArrayOutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.util.Properties;

/** IMAP with Angus Mail and GreenMail. The client fetches a message from an open folder. */
final class ImapMessages implements Subject {
    static final String USER = "user@localhost";
    private static final String PASSWORD = "secret";

    /** GreenMail's server with TCP_NODELAY. Without it an answer waits 40 ms for an acknowledgement in the middle, over any sockets. */
    private static final class Server extends AbstractServer {
        Server(ServerSetup setup, Managers managers) {
            super(setup, managers);
        }

        @Override
        protected ProtocolHandler createProtocolHandler(Socket socket) {
            return new ImapHandler(managers.getUserManager(), managers.getImapHostManager(), socket);
        }

        @Override
        protected void handleClientSocket(Socket socket) throws SocketException {
            socket.setTcpNoDelay(true);
            super.handleClientSocket(socket);
        }
    }

    @Override
    public int serve(int port) throws Exception {
        Managers managers = new Managers();
        Server server = new Server(new ServerSetup(port, HOST, ServerSetup.PROTOCOL_IMAP), managers);
        server.startService();
        Subject.expect(server.waitTillRunning(10_000));
        managers.getUserManager()
                .createUser(USER, USER, PASSWORD)
                .deliver(SmtpMessages.message(Session.getInstance(new Properties())));
        return server.getPort();
    }

    @Override
    public Operation operation(String name, int port) throws Exception {
        if (!name.equals("fetch")) {
            throw Subject.unknown(name);
        }
        Store store = Session.getInstance(new Properties()).getStore("imap");
        store.connect(HOST, port, USER, PASSWORD);
        Folder folder = store.getFolder("INBOX");
        folder.open(Folder.READ_ONLY);
        Message message = folder.getMessage(1);
        return () -> {
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            message.writeTo(content); // asks the server each time
            Subject.expect(content.size() > 1_000);
        };
    }
}
