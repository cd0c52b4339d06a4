/**
 * Load over time: several JVMs with thousands of connections of all kinds, some of them killed now and then. Every byte
 * is checked, every end is accounted for, and when everything is closed nothing may have grown. {@code ./jfs soak} runs
 * it for as long as it is told to.
 */
package jfs.conformance.soak;
