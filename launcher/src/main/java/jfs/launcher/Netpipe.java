package jfs.launcher;

import java.util.Arrays;
import netpipe.NetPipe;

/** {@code netpipe [--plain] ...}: NetPIPE, which comes with jfs.jar, on JFS sockets or on the JDK's. */
final class Netpipe {

    /** On the JDK's sockets. It has to be the first argument. */
    static final String PLAIN = "--plain";

    private Netpipe() {
    }

    /**
     * What the command runs on JFS sockets: the name of the program's main class, then its arguments. If the program is to run on the JDK's
     * sockets, it runs here, and this method does not return.
     *
     * @param args the command's name and its arguments
     */
    static String[] program(String[] args) {
        if (args.length > 1 && args[1].equals(PLAIN)) {
            NetPipe.main(Arrays.copyOfRange(args, 2, args.length));
        }
        String[] program = args.clone();
        program[0] = NetPipe.class.getName();
        return program;
    }
}
