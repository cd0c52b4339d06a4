package jfs.config;

import java.security.AllPermission;

/**
 * What a security manager lets JFS do. From JDK 24 on there is no security manager. What JFS does for a socket (native code, threads,
 * files of {@code /proc}) takes permissions that a program does not otherwise need for a socket. So under a security manager JFS does it
 * only for a program that has all permissions. Safe for use by any thread.
 */
public final class Permissions {

    /** Before this version a program may set a security manager unless an option forbids it. Later it may if an option allows it. */
    private static final int ONLY_IF_ALLOWED = 18;
    /** From this version on there is no security manager. */
    private static final int WITHOUT = 24;

    private static final int VERSION = Runtime.version().feature();

    private Permissions() {
    }

    /** Whether the program may set a security manager from now on. */
    public static boolean mayBeDeniedLater() {
        String option = System.getProperty("java.security.manager");
        return VERSION < ONLY_IF_ALLOWED ? !"disallow".equals(option) : VERSION < WITHOUT && "allow".equals(option);
    }

    /** The class of the security manager, or null if there is none. */
    public static String securityManager() {
        SecurityManager manager = manager();
        return manager == null ? null : manager.getClass().getName();
    }

    @SuppressWarnings("removal")
    private static SecurityManager manager() {
        return VERSION < WITHOUT ? System.getSecurityManager() : null;
    }

    /** Why JFS must not make the calling code's sockets, in one line, or null if it may. */
    @SuppressWarnings("removal")
    public static String denied() {
        SecurityManager manager = manager();
        if (manager == null) {
            return null;
        }
        try {
            manager.checkPermission(new AllPermission());
            return null;
        } catch (SecurityException e) {
            return "this JVM has a security manager (" + manager.getClass().getName()
                    + "), and not all permissions are granted to this program and to JFS";
        }
    }
}
