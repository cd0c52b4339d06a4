package workloads.startup;

/** An agent that does nothing. It shows the time that a JVM takes for any agent. */
public final class EmptyAgent {
    private EmptyAgent() {}

    public static void premain(String arguments) {}
}
