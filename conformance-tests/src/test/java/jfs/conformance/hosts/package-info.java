/**
 * Connections between hosts, which are network namespaces of this machine: which processes find each other, and when a
 * connection stays on TCP.
 */
package jfs.conformance.hosts;
