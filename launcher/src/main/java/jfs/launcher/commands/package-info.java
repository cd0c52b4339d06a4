/**
 * The commands of {@code java -jar jfs.jar}, by picocli. A command is one class, which {@link jfs.launcher.commands.Commands} names. What
 * starts programs does not use this package: no class of picocli is loaded by {@code run}, by JFSLauncher or by the agent.
 */
package jfs.launcher.commands;
