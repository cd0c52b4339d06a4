/**
 * Load over time: several JVMs with thousands of connections of all kinds. Some of the JVMs are killed now and then. Every
 * byte is checked, and every end has to be explained. When everything is closed nothing may have grown. {@code ./jfs soak}
 * runs it for the time that it is given.
 */
package jfs.conformance.soak;
