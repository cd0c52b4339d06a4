package jfs.launcher.selftest;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jfs.config.Transports;
import jfs.nativelib.NativeLibrary;
import jfs.nativelib.Sisci;
import jfs.spi.Obstacle;
import jfs.spi.TransportProvider;
import jfs.transport.BuiltIn;

/** What connections between hosts need, which most machines lack, and the libraries of vendors. */
final class MxChecks {

    private static final String UCX = "UCX";
    private static final String MX = "MX between hosts";
    private static final TransportProvider PROVIDER = Transports.named(BuiltIn.TRANSPORTS, "mx");

    private final boolean natives;
    private final boolean wanted;
    private final String unavailable;
    private final Obstacle obstacle;

    /** Loads the MX library, which opens the network. */
    MxChecks(boolean natives, SettingsChecks settings) {
        this.natives = natives;
        wanted = settings.chooseMx();
        unavailable = natives ? NativeLibrary.mxUnavailable() : null;
        obstacle = natives && unavailable == null ? PROVIDER.obstacle() : null;
    }

    List<Finding> all() {
        return natives ? List.of(sisci(), ucx(), mx()) : List.of();
    }

    /** Whether two JVMs can converse over MX. */
    boolean isAvailable() {
        return natives && unavailable == null;
    }

    /** Whether MX has nothing but TCP to go by. */
    boolean isOverTcp() {
        return obstacle != null;
    }

    private static Finding sisci() {
        boolean installed = Files.isDirectory(Path.of("/opt/DIS"));
        return Sisci.sharesMemory() ? Finding.absent("SISCI library of a vendor", installed
                ? "/opt/DIS is there, but its library finds no card or is not chosen (jfs.sci.library); JFS uses its own library"
                : "none; JFS uses its own library")
                : Finding.ok("SISCI library of a vendor", "in use");
    }

    private Finding ucx() {
        String libraries = PlatformChecks.lines(Path.of("/proc/self/maps")).stream().filter(it -> it.contains("/libucp.so"))
                .map(it -> it.substring(it.indexOf('/'))).findFirst().orElse(null);
        if (libraries != null) {
            return Finding.ok(UCX, libraries + version());
        }
        boolean missing = unavailable != null && unavailable.contains("UCX");
        return Finding.absent(UCX, missing ? "not usable: " + unavailable : "not in use");
    }

    /** The version as UCX's own program tells it; empty if that program is not there. */
    private static String version() {
        String line = Tool.firstLine("ucx_info", "-v");
        return line.isEmpty() ? "" : ", " + line.replaceFirst("^# ", "");
    }

    private Finding mx() {
        String remedy = "Install UCX (apt install libucx0), or remove the rules of jfs.rules that say mx.";
        if (unavailable != null) {
            return wanted ? Finding.issue(MX, "not possible: " + unavailable, remedy)
                    : Finding.absent(MX, "not possible; only connections between hosts need it");
        }
        if (obstacle != null) {
            return wanted ? Finding.issue(MX, obstacle.detail(), "Rules that say \"mx\" need RDMA; \"mx forced\" uses MX over TCP, too.")
                    : Finding.absent(MX, "no RDMA: " + obstacle.detail() + "; only rules that say \"mx forced\" use it");
        }
        return Finding.ok(MX, "possible, with RDMA");
    }
}
