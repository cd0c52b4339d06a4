package jfs.nativelib;

/** The MX interface. */
final class Mx {

    private Mx() {
    }

    /**
     * Opens the MX library and asks whether it can carry connections.
     *
     * @return null, or why it can't, in one line
     */
    static native String load(String path);
}
