package jfs.transport.sci;

import java.util.List;
import jfs.nativelib.Sisci;
import jfs.procfs.MemoryLimit;
import jfs.spi.Reach;
import jfs.spi.Setting;
import jfs.spi.Transport;
import jfs.spi.TransportProvider;
import jfs.spi.TransportSettings;

/**
 * The transport {@code sci}: memory that both processes have mapped. It has no obstacle of its own: the SISCI library is loaded together
 * with JFS's native library, without which JFS uses no transport at all.
 */
public final class SciProvider implements TransportProvider {

    /** The name in settings, rules and counters, and in offers of memory that both processes share. */
    static final String NAME = "sci";

    /** Which SISCI library is used. */
    public static final Setting<String> LIBRARY = Setting.library("jfs.sci.library");

    /** The ring's working window, bytes. */
    private static final Setting<Integer> BUFFER_SIZE = Setting.integer("jfs.buffer.size", 1 << 20, 8_192, 64 << 20);
    /** How much shared memory all connections may keep resident. */
    private static final Setting<Setting.Amount> MEMORY_MAX = Setting.amount("jfs.memory.max", new Setting.Amount(25, true));
    /** Writes of at least this many bytes are pipelined. */
    private static final Setting<Integer> LONG_MIN = Setting.integer("jfs.sci.long.min", 8_192, 64, 16 << 20);

    /** At least as many bytes as loopback TCP takes while the peer reads nothing: 3,932,160 (SWITCH-3). */
    private static final int OVERFLOW_BYTES = 4 << 20;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Reach reach() {
        return Reach.THIS_HOST;
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(BUFFER_SIZE, MEMORY_MAX, LONG_MIN, LIBRARY);
    }

    @Override
    public String inWords(boolean forced) {
        return "shared memory";
    }

    @Override
    public Transport open(TransportSettings settings) {
        int[] users = new int[settings.allowedUsers().size()];
        int i = 0;
        for (int user : settings.allowedUsers()) {
            users[i++] = user;
        }
        Sisci.allowUsers(users);
        return new SciTransport(new SciTransport.Sizes(settings.value(BUFFER_SIZE), OVERFLOW_BYTES, settings.value(LONG_MIN),
                settings.pollMicros()), settings.value(MEMORY_MAX).of(MemoryLimit.bytes()));
    }
}
