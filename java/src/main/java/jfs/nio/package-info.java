/**
 * The way to programs that use channels and selectors ({@code java.nio}). JFS makes a provider in {@code java.base} the default, whose
 * channels and selectors are subclasses of the JDK's. The page docs/nio.md says how.
 */
package jfs.nio;
