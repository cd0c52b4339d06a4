/** Connections between hosts, which are network namespaces of this machine: who finds whom, and what is fallen back to. */
package jfs.conformance.hosts;
