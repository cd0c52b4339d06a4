/**
 * The SCI path: both ends map one segment, a region with a place for each connection between two processes; behind a card each
 * end has its own. The data path is plain loads and stores, and a futex or a SISCI interrupt wakes a sleeping peer. Section 3.2
 * of the paper, with SISCI as the only native interface.
 */
package jfs.transport.sci;
