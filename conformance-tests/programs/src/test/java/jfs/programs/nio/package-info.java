/**
 * Real servers on channels and selectors, and their clients, with JFS's provider ({@code jfs.nio}) at both ends. Each pair of programs runs
 * on the JDK first, and has to say the same with JFS. {@link jfs.programs.nio.Pair} says what their connections are expected to use.
 */
package jfs.programs.nio;
