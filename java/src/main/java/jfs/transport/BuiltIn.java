package jfs.transport;

import java.nio.file.Path;
import java.util.List;
import jfs.nativelib.NativeLibrary;
import jfs.procfs.MemoryLimit;
import jfs.spi.Obstacle;
import jfs.spi.Setting;
import jfs.spi.Transport;
import jfs.spi.TransportProvider;
import jfs.spi.TransportSettings;
import jfs.transport.mx.MxTransport;
import jfs.transport.sci.SciTransport;

/**
 * The transports that come with JFS. No other class names them. They are not looked for by {@link java.util.ServiceLoader}: every JVM
 * with a socket needs them, and a ServiceLoader searches the program's whole class path. For the same reason one class is the provider of
 * both: a JVM takes a quarter of a millisecond for each class that it loads.
 */
public final class BuiltIn implements TransportProvider {

    /** Memory that both processes have mapped. Its library is loaded with JFS's own, without which JFS uses no transport at all. */
    private static final BuiltIn SCI = new BuiltIn(SciTransport.NAME);
    /** Messages between hosts. */
    private static final BuiltIn MX = new BuiltIn(MxTransport.NAME);

    /** What {@code jfs.transport=auto} stands for. The first of this host is used for connections without a rule. */
    public static final List<TransportProvider> TRANSPORTS = List.of(SCI, MX);

    /** At least as many bytes as loopback TCP takes while the peer reads nothing: 3,932,160 (SWITCH-3). */
    private static final int OVERFLOW_BYTES = 4 << 20;

    /** The settings. They are in a class of their own, which most JVMs need late or never. */
    private static final class Declared {
        /** The ring's working window, bytes. */
        static final Setting<Integer> BUFFER_SIZE = Setting.integer("jfs.buffer.size", 1 << 20, 8_192, 64 << 20)
                .meaning("the ring's window for each direction, bytes; rounded up to pages");
        /** How much shared memory all connections may keep resident. */
        static final Setting<Setting.Amount> MEMORY_MAX = Setting.amount("jfs.memory.max", "25%")
                .meaning("how much shared memory all connections of this process may keep: bytes with K, M or G, or a share in % of"
                        + " the memory that the process may have");
        /** Writes of at least this many bytes are pipelined. */
        static final Setting<Integer> LONG_MIN = Setting.integer("jfs.sci.long.min", 8_192, 64, 16 << 20)
                .meaning("writes of at least this many bytes are pipelined in parts");
        /** Which SISCI library is used. */
        static final Setting<String> SCI_LIBRARY = Setting.library("jfs.sci.library")
                .meaning("which SISCI library is used: auto, shim (the one that comes with JFS), or the full name of a file");
        /** The longest message over MX, bytes. Longer writes become several messages. */
        static final Setting<Integer> EAGER_MAX = Setting.integer("jfs.mx.eager.max", 32 << 10, 1_024, 1 << 20)
                .meaning("the longest message over MX, bytes; a longer write becomes several");
        /** Which MX library is used. */
        static final Setting<String> MX_LIBRARY = Setting.library("jfs.mx.library")
                .meaning("which MX library is used: auto, shim (the one that comes with JFS, over UCX), or the full name of a file");

        static final List<Setting<?>> OF_SCI = List.of(BUFFER_SIZE, MEMORY_MAX, LONG_MIN, SCI_LIBRARY);
        static final List<Setting<?>> OF_MX = List.of(EAGER_MAX, MX_LIBRARY);
    }

    private final String name;

    private BuiltIn(String name) {
        this.name = name;
    }

    /**
     * Says where the native libraries of JFS and of these transports are. Loads nothing. A call after they are loaded comes too late.
     *
     * @param folder of JFS's own native libraries, or null for those in the jar
     */
    public static void lookForLibrariesIn(Path folder, TransportSettings settings) {
        NativeLibrary.lookIn(folder, settings.value(Declared.SCI_LIBRARY), settings.value(Declared.MX_LIBRARY));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean betweenHosts() {
        return this == MX;
    }

    @Override
    public List<Setting<?>> settings() {
        return this == MX ? Declared.OF_MX : Declared.OF_SCI;
    }

    @Override
    public String inWords(boolean forced) {
        return this == SCI ? "shared memory" : forced ? "MX, also where there is no RDMA" : "MX, where there is RDMA";
    }

    @Override
    public Obstacle obstacle() {
        return this == MX ? MxTransport.obstacle() : null;
    }

    @Override
    public Transport open(TransportSettings settings) {
        return this == MX ? MxTransport.ofProcess(settings.value(Declared.EAGER_MAX), settings.pollMicros())
                : SciTransport.of(new SciTransport.Sizes(settings.value(Declared.BUFFER_SIZE), OVERFLOW_BYTES,
                        settings.value(Declared.LONG_MIN), settings.pollMicros()),
                        settings.value(Declared.MEMORY_MAX).of(MemoryLimit.bytes()), settings.allowedUsers());
    }
}
