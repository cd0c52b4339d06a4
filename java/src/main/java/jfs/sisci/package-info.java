/**
 * What sockets and message queues hold of SISCI: segments with their one mapping, bells, and how they are let go. It is
 * alike on our shim and on a card's library, as far as that can be.
 */
package jfs.sisci;
