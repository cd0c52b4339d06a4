package programs.ftp;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.net.ftp.FTP;
import org.apache.commons.net.ftp.FTPClient;
import org.apache.commons.net.ftp.FTPFile;
import programs.Bytes;
import programs.Console;

/** A client on Apache Commons Net. Each data connection carries one file in one direction and ends with the file. */
final class CommonsNet implements AutoCloseable {

    /** Lengths near those that one read, one buffer and one offer take. */
    private static final int[] LENGTHS = {0, 1, 65_536, 65_537, 300_001};

    private final String server;
    private final FTPClient ftp = new FTPClient();

    CommonsNet(String server, int port, int activePort) throws IOException {
        this.server = server;
        ftp.connect("127.0.0.1", port);
        if (!ftp.login(Server.USER, Server.PASSWORD) || !ftp.setFileType(FTP.BINARY_FILE_TYPE)) {
            throw new IOException(ftp.getReplyString());
        }
        ftp.setActivePortRange(activePort, activePort);
    }

    @Override
    public void close() throws IOException {
        ftp.logout();
        Console.say(ftp.getReplyCode());
        ftp.disconnect();
    }

    void converse() throws Exception {
        ftp.enterLocalPassiveMode();
        transfers("passive");
        ftp.enterLocalActiveMode();
        transfers("active");
        restarts();
        interruptions();
        mistakes();
    }

    private void transfers(String mode) throws Exception {
        Console.say(server + " server, " + mode + ", retrieve");
        Console.untilTold(() -> same(Server.LARGE, retrieve("large")));
        Console.say(server + " server, " + mode + ", store");
        byte[] large = Bytes.of(2, Server.LARGE);
        Console.untilTold(() -> store("new", large));
        byte[] back = retrieve("new");
        Console.say(Bytes.digest(back) + ": " + Arrays.equals(large, back));
        ftp.deleteFile("new");
        for (int length : LENGTHS) {
            store("small", Bytes.of(length, length));
            Console.say(Bytes.digest(retrieve("small")));
        }
        ftp.appendFile("small", new ByteArrayInputStream(Bytes.of(3, 100_000)));
        Console.say("appended: " + Bytes.digest(retrieve("small")));
        ftp.deleteFile("small");
        listings();
    }

    private static Void same(int length, byte[] bytes) throws IOException {
        if (!Arrays.equals(Bytes.of(1, length), bytes)) {
            throw new IOException(Bytes.digest(bytes));
        }
        return null;
    }

    private byte[] retrieve(String file) throws IOException {
        ByteArrayOutputStream to = new ByteArrayOutputStream();
        if (!ftp.retrieveFile(file, to)) {
            throw new IOException(ftp.getReplyString());
        }
        return to.toByteArray();
    }

    private Void store(String file, byte[] content) throws IOException {
        if (!ftp.storeFile(file, new ByteArrayInputStream(content))) {
            throw new IOException(ftp.getReplyString());
        }
        return null;
    }

    private void listings() throws IOException {
        List<String> files = new ArrayList<>();
        for (FTPFile file : ftp.listFiles("many")) {
            files.add(file.getName() + " " + file.getSize());
        }
        files.sort(null);
        String[] names = ftp.listNames("many");
        Arrays.sort(names);
        Console.say(files.size() + " files, " + files.hashCode() + "; " + names.length + " names");
    }

    /** Retrieves the rest of a file, then overwrites the rest of a file. */
    private void restarts() throws IOException {
        ftp.setRestartOffset(Server.LARGE - 70_000);
        Console.say("the rest: " + Bytes.digest(retrieve("large")));
        store("new", Bytes.of(4, 200_000));
        ftp.setRestartOffset(100_000);
        store("new", Bytes.of(5, 100_001));
        Console.say("with another end: " + Bytes.digest(retrieve("new")));
        ftp.deleteFile("new");
    }

    private void interruptions() throws IOException {
        // The client writes to a stream and closes it. The file is then what has been written.
        try (OutputStream out = ftp.storeFileStream("part")) {
            out.write(Bytes.of(6, 1_000_001));
        }
        Console.say(ftp.completePendingCommand() + ", " + Bytes.digest(retrieve("part")));
        ftp.deleteFile("part");
    }

    private void mistakes() throws IOException {
        Console.say(ftp.retrieveFile("nothing", OutputStream.nullOutputStream()) + " " + ftp.getReplyCode());
        Console.say(ftp.changeWorkingDirectory("nowhere") + " " + ftp.getReplyCode());
    }

    /** The client stops reading in the middle of a file. Only for a server whose session survives this. */
    void abort() throws IOException {
        try (InputStream in = ftp.retrieveFileStream("large")) {
            Console.say(Bytes.digest(in.readNBytes(100_000)));
        }
        Console.say("aborted: " + ftp.abort() + " " + ftp.getReplyCode() + ", " + ftp.completePendingCommand() + " "
                + ftp.getReplyCode());
        Console.say("whole: " + Bytes.digest(retrieve("large")));
    }
}
