package jfs.launcher;

import java.lang.instrument.Instrumentation;
import jfs.transport.tcp.JdkAccess;

/**
 * The agent that {@code java -jar jfs.jar} starts before main, in every runtime that has the module java.instrument. So
 * {@code run} can do what an agent can, without {@code -javaagent}. This agent installs nothing.
 */
public final class LauncherAgent {

    private LauncherAgent() {
    }

    /** Called by the java command. */
    public static void agentmain(String arguments, Instrumentation instrumentation) {
        JdkAccess.give(new TrustedLookup(instrumentation));
    }
}
