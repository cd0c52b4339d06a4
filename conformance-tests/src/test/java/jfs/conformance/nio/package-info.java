/**
 * What programs may expect of channels and selectors ({@code java.nio}). Each program runs with the JDK's provider and with JFS's, both in
 * one JVM, and has to see the same. The JVM has {@code jfs.nio=on}.
 */
package jfs.conformance.nio;
