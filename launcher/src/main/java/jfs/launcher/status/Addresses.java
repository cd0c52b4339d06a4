package jfs.launcher.status;

/** Addresses with ports, as the reports show them. */
final class Addresses {

    private Addresses() {
    }

    /** As it is usual: an IPv6 address in brackets. */
    static String text(String address, int port) {
        return (address.indexOf(':') >= 0 ? "[" + address + "]:" : address + ":") + port;
    }
}
