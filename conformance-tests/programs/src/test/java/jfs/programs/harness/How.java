package jfs.programs.harness;

import java.io.File;
import java.util.List;

/** How a program gets JFS. */
public enum How {

    /** Without JFS: its transcript is the expected one. */
    JDK {
        @Override
        public List<String> command(String classPath, String mainClass) {
            return List.of("-cp", classPath, mainClass);
        }
    },
    LAUNCHER {
        @Override
        public List<String> command(String classPath, String mainClass) {
            return List.of(LOG, "-cp", JAR + File.pathSeparator + classPath, "JFSLauncher", mainClass);
        }
    },
    AGENT {
        @Override
        public List<String> command(String classPath, String mainClass) {
            return List.of(LOG, "-javaagent:" + JAR, "-cp", classPath, mainClass);
        }
    };

    private static final String JAR = System.getProperty("jfs.jar");
    private static final String LOG = "-Djfs.log=all";

    /** The options of the {@code java} command, main class included. */
    public abstract List<String> command(String classPath, String mainClass);

    public boolean hasJfs() {
        return this != JDK;
    }
}
