/**
 * Containers that share a network namespace, as those of one pod do. Each has PID, mount, IPC and mostly user namespaces of its own, and
 * Docker's filter of system calls. Their processes share memory as far as the kernel can tell that they have the same user, or users who
 * allow each other. In all other cases they stay on TCP, and the reason says what the kernel can't tell.
 */
package jfs.conformance.containers;
