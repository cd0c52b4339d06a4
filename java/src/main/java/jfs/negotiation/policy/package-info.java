/**
 * What a connection may use, as far as the settings, the rules of {@code jfs.rules} and its addresses tell. Immutable; nothing here makes
 * a system call.
 */
package jfs.negotiation.policy;
