package workloads.network;

import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.net.InetAddress;
import java.util.Properties;
import org.subethamail.smtp.helper.BasicMessageListener;
import org.subethamail.smtp.server.SMTPServer;

/** SMTP with Angus Mail and SubEtha SMTP. The server drops the messages. */
final class SmtpMessages implements Subject {
    private static final int BYTES = 1 << 10;

    @Override
    public int serve(int port) throws Exception {
        BasicMessageListener dropping = (context, from, to, data) -> {};
        SMTPServer server = SMTPServer.port(port)
                .bindAddress(InetAddress.getByName(HOST))
                .hostName("localhost")
                .messageHandler(dropping)
                .build();
        server.start();
        return server.getPortAllocated();
    }

    @Override
    public Operation operation(String name, int port) throws Exception {
        Properties properties = new Properties();
        properties.setProperty("mail.smtp.host", HOST);
        properties.setProperty("mail.smtp.port", Integer.toString(port));
        properties.setProperty("mail.smtp.localhost", "localhost"); // or the library looks this host's name up
        Session session = Session.getInstance(properties);
        MimeMessage message = message(session);
        return switch (name) {
            case "message" -> {
                Transport transport = session.getTransport("smtp");
                transport.connect();
                yield () -> transport.sendMessage(message, message.getAllRecipients());
            }
            case "connection" -> () -> {
                try (Transport transport = session.getTransport("smtp")) {
                    transport.connect();
                    transport.sendMessage(message, message.getAllRecipients());
                }
            };
            default -> throw Subject.unknown(name);
        };
    }

    static MimeMessage message(Session session) throws MessagingException {
        MimeMessage message = new MimeMessage(session);
        message.setFrom("sender@localhost");
        message.setRecipient(Message.RecipientType.TO, new InternetAddress(ImapMessages.USER));
        message.setSubject("A message");
        message.setText("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcd\r\n".repeat(BYTES / 64));
        message.saveChanges();
        return message;
    }
}
