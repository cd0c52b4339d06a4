package filetransport;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import jfs.spi.Preferences;
import jfs.spi.Setting;
import jfs.spi.Transport;
import jfs.spi.TransportProvider;
import jfs.spi.TransportSettings;

/** The transport {@code file}. JFS finds it by {@code META-INF/services/jfs.spi.TransportProvider}. */
public final class FileTransportProvider implements TransportProvider {

    static final String NAME = "file";

    /** How many unread bytes each direction holds. By default more than loopback TCP does, so that a writer blocks no earlier. */
    private static final Setting<Integer> SIZE = Setting.integer("jfs.file.size", 4 << 20, 4_096, 64 << 20);

    private static final Queue<Preferences> PREFERRED = new ConcurrentLinkedQueue<>();

    /** What the paths of this process were told that their programs prefer. */
    public static Queue<Preferences> preferred() {
        return PREFERRED;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean betweenHosts() {
        return false;
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(SIZE);
    }

    @Override
    public Transport open(TransportSettings settings) {
        return new FileTransport(settings.value(SIZE));
    }
}
