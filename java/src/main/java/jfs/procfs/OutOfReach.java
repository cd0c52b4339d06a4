package jfs.procfs;

import java.util.List;
import java.util.concurrent.Callable;

/**
 * Looks for the TCP connections of this process that are not JFS's. The counters ask for them and know no sockets. So the code that can
 * look hands an object of this class over. Any thread may call the methods. The class is not in the counters' package, because that package
 * is exported, and a program must not replace the object.
 */
public abstract class OutOfReach {

    private static volatile Callable<OutOfReach> source;

    /** Called when JFS is first used in this process. @param source makes the object when it is needed, which is seldom */
    public static void use(Callable<OutOfReach> source) {
        OutOfReach.source = source;
    }

    /** @return null if JFS is not used in this process */
    public static OutOfReach look() {
        Callable<OutOfReach> from = source;
        try {
            return from == null ? null : from.call();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** @return how many such connections there are now, -1 if that can't be known */
    public abstract int connections();

    /** Whether this process has ever made a SocketChannel that JFS can't reach; false also if that can't be known. */
    public abstract boolean channelsWereUsed();

    /**
     * What else in this process may have made such connections: neither a socket nor a SocketChannel. Nothing is said of what can't be
     * known.
     *
     * @return texts that name it, with the program's own switch that changes it, where there is one
     */
    public abstract List<String> others();
}
