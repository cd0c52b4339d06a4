package jfs.conformance.harness.processes;

import java.util.HexFormat;
import jfs.nativelib.Posix;

/** Listens at another process's name. It gives each visitor the same answer, or {@linkplain #occupy lets none in}. */
final class Squatter {

    static final String HANGS_UP = "-";

    private final int listener;
    private final String answer;

    /** @param answer in hex, or {@link #HANGS_UP} */
    Squatter(String name, String answer) {
        this.answer = answer;
        listener = Posix.unixListen(name, 10);
        if (listener < 0) {
            throw new IllegalStateException(name + ": " + Posix.errorText(-listener));
        }
    }

    void run() {
        for (;;) {
            await(listener);
            int visitor = Posix.accept(listener);
            await(visitor);
            Posix.receive(visitor, new byte[4096]);
            if (!answer.equals(HANGS_UP)) {
                byte[] message = HexFormat.of().parseHex(answer);
                Posix.send(visitor, message, message.length);
                await(visitor); // until the visitor has closed
            }
            Posix.close(visitor);
        }
    }

    /** Listens at this name, accepts no connection, and fills its backlog. */
    static void occupy(String name) {
        int fd = Posix.unixListen(name, 0);
        while (fd >= 0) {
            fd = Posix.unixConnect(null, name);
        }
        if (fd != -Posix.EAGAIN) {
            throw new IllegalStateException(name + ": " + Posix.errorText(-fd));
        }
    }

    private static void await(int fd) {
        Posix.poll(fd, Posix.POLLIN, -1, 0, -1);
    }
}
