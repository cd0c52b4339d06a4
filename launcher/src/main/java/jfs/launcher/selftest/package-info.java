/**
 * The command {@code selftest}: whether JFS works on this machine, with this Java and these settings, and if not, what to do. Each check
 * has one line. A class whose name ends in {@code Checks} has the checks of one subject.
 */
package jfs.launcher.selftest;
