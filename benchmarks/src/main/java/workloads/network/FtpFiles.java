package workloads.network;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.apache.ftpserver.ftplet.FileSystemView;
import org.apache.ftpserver.ftplet.FtpFile;

/** Files of zeros in one directory. A file whose name is a number has that many bytes. Written bytes are dropped. */
final class FtpFiles implements FileSystemView {
    private static final String ROOT = "/";

    @Override
    public FtpFile getHomeDirectory() {
        return new Entry(ROOT);
    }

    @Override
    public FtpFile getWorkingDirectory() {
        return new Entry(ROOT);
    }

    @Override
    public boolean changeWorkingDirectory(String directory) {
        return directory.equals(ROOT);
    }

    @Override
    public FtpFile getFile(String name) {
        return new Entry(name.startsWith(ROOT) ? name : ROOT + name);
    }

    @Override
    public boolean isRandomAccessible() {
        return false;
    }

    @Override
    public void dispose() {}

    private static final class Entry implements FtpFile {
        private final String path;

        Entry(String path) {
            this.path = path;
        }

        @Override
        public String getAbsolutePath() {
            return path;
        }

        @Override
        public String getName() {
            return path.substring(1);
        }

        @Override
        public boolean isHidden() {
            return false;
        }

        @Override
        public boolean isDirectory() {
            return path.equals(ROOT);
        }

        @Override
        public boolean isFile() {
            return !isDirectory() && doesExist();
        }

        @Override
        public boolean doesExist() {
            return isDirectory() || path.matches("/\\d+");
        }

        @Override
        public boolean isReadable() {
            return true;
        }

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public boolean isRemovable() {
            return false;
        }

        @Override
        public String getOwnerName() {
            return "user";
        }

        @Override
        public String getGroupName() {
            return "user";
        }

        @Override
        public int getLinkCount() {
            return 1;
        }

        @Override
        public long getLastModified() {
            return 0;
        }

        @Override
        public boolean setLastModified(long time) {
            return false;
        }

        @Override
        public long getSize() {
            return isFile() ? Integer.parseInt(getName()) : 0;
        }

        @Override
        public Object getPhysicalFile() {
            return path;
        }

        @Override
        public boolean mkdir() {
            return false;
        }

        @Override
        public boolean delete() {
            return false;
        }

        @Override
        public boolean move(FtpFile destination) {
            return false;
        }

        @Override
        public List<? extends FtpFile> listFiles() {
            return List.of();
        }

        @Override
        public OutputStream createOutputStream(long offset) {
            return OutputStream.nullOutputStream();
        }

        @Override
        public InputStream createInputStream(long offset) {
            return new ByteArrayInputStream(new byte[(int) getSize()]);
        }
    }
}
