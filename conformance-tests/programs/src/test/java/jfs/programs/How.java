package jfs.programs;

import java.io.File;
import java.util.List;

/** How JFS gets into a program. */
enum How {

    /** Not at all: the oracle. */
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

    /** Options of {@code java}, main class included. */
    abstract List<String> command(String classPath, String mainClass);

    boolean hasJfs() {
        return this != JDK;
    }
}
