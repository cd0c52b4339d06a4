/**
 * The SISCI resources of sockets and message queues: segments with one mapping each, bells, and how both are freed. The
 * classes work alike on JFS's shim and on a card's library, as far as that is possible.
 */
package jfs.sisci;
