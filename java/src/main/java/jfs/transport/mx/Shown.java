package jfs.transport.mx;

import jfs.spi.Claim;

/** The claim by which a half of a path shows memory to the thread that holds the half. Used under the lock of the half. */
final class Shown {

    private Claim claim;

    /** From now on that claim shows memory, or none if it is null. The memory of the one before is taken back (CLAIM-1). */
    void by(Claim next) {
        if (claim != null && claim != next) {
            claim.clear();
        }
        claim = next;
    }
}
