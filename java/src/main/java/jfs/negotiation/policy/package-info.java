/**
 * What a connection may use, as far as the settings, the rules of {@code jfs.rules} and its addresses tell. All classes are immutable. No
 * method makes a system call.
 */
package jfs.negotiation.policy;
