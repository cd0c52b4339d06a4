package jfs.negotiation;

/**
 * The versions of the protocol that a process speaks: all from the oldest to the newest, from 1 to 255. What a version
 * covers, and what takes a new one, is written at {@link Message}.
 */
record Versions(int oldest, int newest) {

    /** Those of this build. */
    static final Versions OURS = new Versions(1, 3);

    boolean include(int version) {
        return oldest <= version && version <= newest;
    }

    /** The newest that both include; 0 if there is none. */
    int newestIn(Versions others) {
        int newest = Math.min(this.newest, others.newest);
        return include(newest) && others.include(newest) ? newest : 0;
    }

    /** For a reader who wonders which of two processes is to be upgraded. */
    String besideOurs() {
        return "the peer speaks " + this + " of JFS's protocol, this process " + OURS;
    }

    @Override
    public String toString() {
        return oldest == newest ? "version " + oldest : "versions " + oldest + " to " + newest;
    }
}
