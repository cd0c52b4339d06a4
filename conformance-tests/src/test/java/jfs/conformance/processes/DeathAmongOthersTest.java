package jfs.conformance.processes;

/** A kill -9 where the two processes have other connections in the same region, which are not in use. */
class DeathAmongOthersTest extends DeathTest {

    @Override
    protected int companions() {
        return 3;
    }
}
