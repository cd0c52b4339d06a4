package jfs.launcher;

import java.lang.instrument.Instrumentation;
import java.util.LinkedHashMap;
import java.util.Map;
import jfs.JFSSocketImplFactory;
import jfs.transport.tcp.JdkAccess;

/**
 * The agent of {@code java -javaagent:jfs.jar[=settings] ...}, also from JAVA_TOOL_OPTIONS, and of attaching to a running JVM.
 *
 * <p>The settings are a list such as {@code jfs.log=all,jfs.transport=sci,mx}: a comma or semicolon before a name that
 * starts with {@code jfs.} separates them. They come before system properties and environment.
 *
 * <p>No error of the agent reaches the program: the agent reports it in one line on stderr, and the program runs on the
 * JDK's own sockets. All work that takes time is done when the first socket is made, because with JAVA_TOOL_OPTIONS every
 * JVM has this agent, compilers and build tools too.
 */
public final class Agent {

    /** The value of the property {@link AgentEntry#OUTCOME} after a successful installation. */
    static final String INSTALLED = "uses JFS for new sockets from now on; sockets that exist already stay as they are";

    private Agent() {
    }

    /** Installs JFS before the program's main method runs. {@link AgentEntry} calls this method and {@link #agentmain}. */
    public static void premain(String arguments, Instrumentation instrumentation) {
        String fault = install(false, arguments, instrumentation);
        if (fault != null) {
            System.err.println(fault);
        }
    }

    /** Installs JFS while the program runs. */
    public static void agentmain(String arguments, Instrumentation instrumentation) {
        String fault = install(true, arguments, instrumentation);
        System.setProperty(AgentEntry.OUTCOME, fault == null ? INSTALLED : fault);
        System.err.println(fault == null ? "jfs: this JVM " + INSTALLED : fault);
    }

    /** @return null if JFS was installed, else one line that says why not */
    private static String install(boolean running, String arguments, Instrumentation instrumentation) {
        try {
            JdkAccess.give(new TrustedLookup(instrumentation));
            if (running) {
                JFSSocketImplFactory.installLate(settings(arguments));
            } else {
                JFSSocketImplFactory.install(settings(arguments));
            }
            return null;
        } catch (IllegalArgumentException | IllegalStateException e) {
            return LauncherException.line(e.getMessage());
        } catch (Throwable e) {
            return LauncherException.line("can't be installed: " + e);
        }
    }

    /** @throws IllegalArgumentException if the argument is not a list of settings; the one-line message says what is allowed */
    static Map<String, String> settings(String arguments) {
        if (arguments == null || arguments.isEmpty()) {
            return Map.of();
        }
        Map<String, String> settings = new LinkedHashMap<>();
        for (String part : arguments.split("[,;](?=jfs\\.)")) {
            int end = part.indexOf('=');
            if (!part.startsWith("jfs.") || end < 0) {
                throw new IllegalArgumentException("jfs: bad agent argument " + part
                        + "; allowed is a comma separated list of settings, jfs.name=value");
            }
            settings.put(part.substring(0, end), part.substring(end + 1));
        }
        return settings;
    }
}
