package jfs.transport.sci;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import jfs.nativelib.Posix;
import jfs.ring.InboxLayout;
import jfs.spi.NoResourcesException;

/**
 * The pages of a region. The kernel finds memory for each page at its first touch. If the kernel has none it makes some, by
 * ending a process if necessary, as for any memory of the JVM's. But under strict accounting ({@code vm.overcommit_memory} is 2,
 * which is for the whole system) it refuses, and a refused touch is a fault. So there a region takes all its pages at once, or is
 * not made, and never gives any back.
 */
final class Pages {

    /** Whether memory is accounted for strictly, so that no page is ever given back. */
    static final boolean STRICT = isStrict(Path.of("/proc/sys/vm/overcommit_memory"));

    private Pages() {
    }

    /**
     * Gets the pages that both ends need to begin with, or all pages under strict accounting (PAGES-1).
     *
     * @param offset of two inboxes of that size in the region, one behind the other
     */
    static void populate(ByteBuffer region, int offset, int inboxBytes) throws NoResourcesException {
        int needed = STRICT ? inboxBytes : InboxLayout.RING + InboxLayout.PAGE;
        for (int inbox = 0; inbox < 2; inbox++) {
            int status = Posix.populatePages(region, offset + inbox * inboxBytes, needed);
            boolean unknown = status == -Posix.EINVAL; // an older kernel can't do it in advance
            if (status < 0 && (STRICT || !unknown)) {
                throw new NoResourcesException("no memory for a region's pages: madvise: " + Posix.errorText(-status));
            }
        }
    }

    /** Gives back pages that hold nothing. The kernel finds memory for them again at their next touch. */
    static void release(ByteBuffer region, int offset, int length) {
        if (!STRICT) {
            Posix.releasePages(region, offset, length);
        }
    }

    private static boolean isStrict(Path setting) {
        try (InputStream in = new FileInputStream(setting.toFile())) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII).strip().equals("2");
        } catch (IOException | SecurityException e) {
            return false; // no proc file system: the setting is not known
        }
    }
}
