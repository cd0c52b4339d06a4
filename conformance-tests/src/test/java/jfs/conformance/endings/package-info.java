/**
 * How a connection or one of its directions ends: close, shutdown and reset, and what either end sees afterwards.
 */
package jfs.conformance.endings;
