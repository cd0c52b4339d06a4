package jfs.conformance.processes;

/** The same where the connection shares a region with others between the two processes, and none of these is used. */
class DeathAmongOthersTest extends DeathTest {

    @Override
    int companions() {
        return 3;
    }
}
