package jfs.stat;

/**
 * Looks for the TCP connections of this process that are not JFS's. This package knows no sockets. So the code that can look hands an
 * object of this class over. Any thread may call the methods.
 */
public abstract class OutOfReach {

    private static volatile OutOfReach look;

    /** Called once, when JFS is first used in this process. */
    public static void use(OutOfReach look) {
        OutOfReach.look = look;
    }

    /** @return null if JFS is not used in this process */
    static OutOfReach look() {
        return look;
    }

    /** @return how many such connections there are now, -1 if that can't be known */
    protected abstract int connections();

    /** Whether this process has ever made a SocketChannel; false also if that can't be known. */
    protected abstract boolean channelsWereUsed();
}
