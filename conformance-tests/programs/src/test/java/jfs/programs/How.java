package jfs.programs;

import java.io.File;
import java.util.List;

/** How a program gets JFS. */
enum How {

    /** Without JFS: its transcript is the expected one. */
    JDK {
        @Override
        List<String> command(String classPath, String mainClass) {
            return List.of("-cp", classPath, mainClass);
        }
    },
    LAUNCHER {
        @Override
        List<String> command(String classPath, String mainClass) {
            return List.of(LOG, "-cp", JAR + File.pathSeparator + classPath, "JFSLauncher", mainClass);
        }
    },
    AGENT {
        @Override
        List<String> command(String classPath, String mainClass) {
            return List.of(LOG, "-javaagent:" + JAR, "-cp", classPath, mainClass);
        }
    };

    private static final String JAR = System.getProperty("jfs.jar");
    private static final String LOG = "-Djfs.log=all";

    /** The options of the {@code java} command, main class included. */
    abstract List<String> command(String classPath, String mainClass);

    boolean hasJfs() {
        return this != JDK;
    }
}
