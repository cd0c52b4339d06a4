package jfs.launcher;

import java.lang.instrument.Instrumentation;
import jfs.transport.tcp.JdkAccess;

/**
 * Started by {@code java -jar jfs.jar}, before main, in every runtime that has java.instrument: so {@code run} has an
 * agent's ways without the option. Installs nothing.
 */
public final class LauncherAgent {

    private LauncherAgent() {
    }

    /** Called by the java command. */
    public static void agentmain(String arguments, Instrumentation instrumentation) {
        JdkAccess.give(new TrustedLookup(instrumentation));
    }
}
