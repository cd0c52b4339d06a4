package jfs.launcher;

import java.lang.instrument.Instrumentation;

/**
 * Where the JVM comes in, of whatever version: with JAVA_TOOL_OPTIONS every JVM of a machine has the agent, and one
 * that can't load an agent's class ends. This class is compiled for Java 8, so it names no other class of JFS but in
 * strings.
 */
public final class AgentEntry {

    /** The system property by which an agent that was attached answers: {@link Agent#INSTALLED}, or why not. */
    static final String OUTCOME = "org.javafastsockets.attached";

    private static final int OLDEST_JAVA = 17;

    private AgentEntry() {
    }

    /** Before the program's main method. */
    public static void premain(String arguments, Instrumentation instrumentation) {
        try {
            String fault = call("premain", arguments, instrumentation);
            if (fault != null) {
                System.err.println(fault);
            }
        } catch (Throwable e) { // would abort the JVM
            // There is not even memory for a line.
        }
    }

    /** While the program runs. */
    public static void agentmain(String arguments, Instrumentation instrumentation) {
        String fault = call("agentmain", arguments, instrumentation);
        if (fault != null) {
            System.setProperty(OUTCOME, fault);
            System.err.println(fault);
        }
    }

    /** @return null, or why there is no {@link Agent} to be called, in one line */
    private static String call(String method, String arguments, Instrumentation instrumentation) {
        String version = System.getProperty("java.specification.version"); // 1.8, 9, 10, ...
        if (version.startsWith("1.") || Integer.parseInt(version) < OLDEST_JAVA) {
            return "JFS: needs Java " + OLDEST_JAVA + " or later, this is " + version
                    + "; the JDK's own sockets are used";
        }
        try {
            Class.forName("jfs.launcher.Agent").getMethod(method, String.class, Instrumentation.class)
                    .invoke(null, arguments, instrumentation);
            return null;
        } catch (ReflectiveOperationException | LinkageError e) {
            return "JFS: can't be installed: " + e;
        }
    }
}
