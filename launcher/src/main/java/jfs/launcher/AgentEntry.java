package jfs.launcher;

import java.lang.instrument.Instrumentation;

/**
 * The agent's methods that the JVM calls. With JAVA_TOOL_OPTIONS every JVM of a machine has the agent, whatever its version,
 * and a JVM that can't load an agent's class ends. So this class is compiled for Java 8, and its code names other classes of
 * JFS only in strings.
 */
public final class AgentEntry {

    /** The system property in which an attached agent leaves its result: {@link Agent#INSTALLED}, or why JFS was not installed. */
    static final String OUTCOME = "org.javafastsockets.attached";

    private static final int OLDEST_JAVA = 17;

    private AgentEntry() {
    }

    /** The JVM calls this method before the program's main method. */
    public static void premain(String arguments, Instrumentation instrumentation) {
        try {
            String fault = call("premain", arguments, instrumentation);
            if (fault != null) {
                System.err.println(fault);
            }
        } catch (Throwable e) { // if it were thrown on, it would abort the JVM
            // There is not even enough memory to print a line.
        }
    }

    /** The JVM calls this method when the agent is attached to a running program. */
    public static void agentmain(String arguments, Instrumentation instrumentation) {
        String fault = call("agentmain", arguments, instrumentation);
        if (fault != null) {
            System.setProperty(OUTCOME, fault);
            System.err.println(fault);
        }
    }

    /** @return null if the {@link Agent} was called, else one line that says why it could not be called */
    private static String call(String method, String arguments, Instrumentation instrumentation) {
        String version = System.getProperty("java.specification.version"); // 1.8, 9, 10, ...
        if (version.startsWith("1.") || Integer.parseInt(version) < OLDEST_JAVA) {
            return "jfs: needs Java " + OLDEST_JAVA + " or later, this is " + version
                    + "; the JDK's own sockets are used";
        }
        try {
            Class.forName("jfs.launcher.Agent").getMethod(method, String.class, Instrumentation.class)
                    .invoke(null, arguments, instrumentation);
            return null;
        } catch (ReflectiveOperationException | LinkageError e) {
            return "jfs: can't be installed: " + e;
        }
    }
}
