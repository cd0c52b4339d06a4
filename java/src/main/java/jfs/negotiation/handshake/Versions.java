package jfs.negotiation.handshake;

/**
 * The versions of the protocol that a process speaks: all from the oldest to the newest. A version is a number from 1 to 255.
 * {@link Message} says what a version covers, and which changes need a new one.
 */
public record Versions(int oldest, int newest) {

    /** The versions that this build speaks. */
    public static final Versions OURS = new Versions(1, 3);

    boolean include(int version) {
        return oldest <= version && version <= newest;
    }

    /** @return the newest version that both include; 0 if there is none */
    int newestIn(Versions others) {
        int newest = Math.min(this.newest, others.newest);
        return include(newest) && others.include(newest) ? newest : 0;
    }

    /** @return a text that shows people which of the two processes has to be upgraded */
    String besideOurs() {
        return "the peer speaks " + this + " of JFS's protocol, this process " + OURS;
    }

    @Override
    public String toString() {
        return oldest == newest ? "version " + oldest : "versions " + oldest + " to " + newest;
    }
}
