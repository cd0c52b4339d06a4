package jfs.config;

import java.security.AllPermission;

/**
 * What a security manager lets JFS do; there is none since JDK 24. What JFS does for a socket (native code, threads, files of
 * {@code /proc}) takes permissions that no program needs for a socket. So under a security manager JFS does it only for a
 * program that has all permissions. Safe for use by any thread.
 */
public final class Permissions {

    /** Before this version a program may set a security manager unless an option forbids it; from then on if one allows it. */
    private static final int ONLY_IF_ALLOWED = 18;
    /** Since this version there is none. */
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

    /** Why JFS must leave the calling code's sockets alone, in one line, or null if it need not. */
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
