package jfs.launcher.status;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses with ports, as the reports show them. */
public final class Addresses {

    private static final Pattern ZEROS = Pattern.compile("(?<![0-9a-f])0(:0)+(?![0-9a-f])");

    private Addresses() {
    }

    /** As it is usual: an IPv6 address in brackets, without its longest row of zeros (RFC 5952). @param address as java.net writes it */
    public static String text(String address, int port) {
        return (address.indexOf(':') >= 0 ? "[" + shorter(address) + "]:" : address + ":") + port;
    }

    private static String shorter(String address) {
        Matcher zeros = ZEROS.matcher(address);
        int begin = 0;
        int end = 0;
        while (zeros.find()) {
            if (zeros.end() - zeros.start() > end - begin) { // of two that are as long, the first
                begin = zeros.start();
                end = zeros.end();
            }
        }
        if (end == 0) {
            return address;
        }
        String before = address.substring(0, begin);
        String after = address.substring(end);
        return (before.isEmpty() ? ":" : before) + (after.startsWith(":") ? after : ":" + after);
    }
}
