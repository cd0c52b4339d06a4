/**
 * A program that states by {@code jfs.JFS.setPreferences} what matters most for its connections, and what it does with them. With a
 * preference {@code jfs.jar} has to be on the class path.
 */
package workloads.preferences;
