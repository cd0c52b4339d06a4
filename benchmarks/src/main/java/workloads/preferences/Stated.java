package workloads.preferences;

import java.io.IOException;
import java.net.Socket;
import jfs.JFS;

/** What a program states of a socket's preferences. */
public enum Stated {
    /** The program does not call JFS, so it runs without {@code jfs.jar} too. */
    NOTHING {
        @Override
        void of(Socket socket) {}
    },
    CPU {
        @Override
        void of(Socket socket) throws IOException {
            JFS.setPreferences(socket, 0, 0, 1);
        }
    },
    LATENCY {
        @Override
        void of(Socket socket) throws IOException {
            JFS.setPreferences(socket, 1, 0, 0);
        }
    },
    BANDWIDTH {
        @Override
        void of(Socket socket) throws IOException {
            JFS.setPreferences(socket, 0, 1, 0);
        }
    };

    /** States it. A socket of the JDK takes no preferences; then nothing changes. */
    abstract void of(Socket socket) throws IOException;
}
