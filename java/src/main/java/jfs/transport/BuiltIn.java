package jfs.transport;

import java.nio.file.Path;
import java.util.List;
import jfs.nativelib.NativeLibrary;
import jfs.spi.TransportProvider;
import jfs.spi.TransportSettings;
import jfs.transport.mx.MxProvider;
import jfs.transport.sci.SciProvider;

/**
 * The transports that come with JFS. No other class names them all. They are not looked for by {@link java.util.ServiceLoader}: every JVM
 * with the agent needs them when it starts, and a ServiceLoader searches the program's whole class path.
 */
public final class BuiltIn {

    /** What {@code jfs.transport=auto} stands for. The first of this host is used for connections without a rule. */
    public static final List<TransportProvider> TRANSPORTS = List.of(new SciProvider(), new MxProvider());

    private BuiltIn() {
    }

    /**
     * Says where the native libraries of JFS and of these transports are. Loads nothing. A call after they are loaded comes too late.
     *
     * @param folder of JFS's own native libraries, or null for those in the jar
     */
    public static void lookForLibrariesIn(Path folder, TransportSettings settings) {
        NativeLibrary.lookIn(folder, settings.value(SciProvider.LIBRARY), settings.value(MxProvider.LIBRARY));
    }
}
