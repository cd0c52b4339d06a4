package filetransport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import jfs.spi.FastPath;
import jfs.spi.StaleOfferException;
import jfs.spi.Transport;

/**
 * Sets up {@link FilePath}s. The connecting end makes a file that only its user can open, with the offer's nonce in it. The description is
 * the file's name in the temporary folder. The accepting end maps the file and compares the nonce. The file is deleted as soon as both ends
 * have mapped it. The example trusts a peer of the same user not to shorten the file: the access of a page that is gone ends as an
 * {@link InternalError}. Memory that can't be shortened (memfd_create with seals) has no such weakness.
 */
final class FileTransport implements Transport {

    private static final Path FOLDER = Path.of(System.getProperty("java.io.tmpdir"));

    private final int size;

    FileTransport(int size) {
        this.size = size;
    }

    @Override
    public String name() {
        return FileTransportProvider.NAME;
    }

    @Override
    public Offer offer(int version, long nonce, String peer) throws IOException {
        Path file = Files.createTempFile(FOLDER, "jfs-", null);
        FilePath path;
        boolean done = false;
        try {
            path = new FilePath(map(file, FilePath.bytes(size)), true);
            path.begin();
            path.nonce(nonce);
            done = true;
        } finally {
            if (!done) {
                Files.deleteIfExists(file);
            }
        }
        return new Offer() {
            @Override
            public void describe(ByteBuffer out) {
                byte[] name = file.getFileName().toString().getBytes(StandardCharsets.US_ASCII);
                out.put((byte) name.length).put(name);
            }

            @Override
            public FastPath complete(ByteBuffer answer) throws IOException {
                Files.delete(file);
                return path;
            }

            @Override
            public void abandon() {
                try {
                    Files.deleteIfExists(file);
                } catch (IOException e) {
                    // The file stays behind.
                }
            }
        };
    }

    @Override
    public Joined join(int version, ByteBuffer description, long nonce) throws IOException {
        byte[] name = new byte[description.get()];
        description.get(name);
        Path file = FOLDER.resolve(Path.of(new String(name, StandardCharsets.US_ASCII)).getFileName()); // in that folder in any case
        FilePath path;
        try {
            path = new FilePath(map(file, Files.size(file)), false);
        } catch (NoSuchFileException e) {
            throw new StaleOfferException("the file is not there any more");
        }
        if (path.nonce() != nonce) {
            throw new IOException("the file is not the one that the offer describes");
        }
        path.begin();
        return new Joined() {
            @Override
            public FastPath path() {
                return path;
            }

            @Override
            public void answer(ByteBuffer out) {
                // The other end knows all.
            }
        };
    }

    private static MappedByteBuffer map(Path file, long bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
        }
    }
}
