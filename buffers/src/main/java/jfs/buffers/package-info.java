/**
 * Messages of typed arrays and objects, which a program packs, sends, receives and unpacks: {@link jfs.buffers.PackedMessage}. Where the
 * elements of an item lie in the program's data: {@link jfs.buffers.Layout}.
 */
package jfs.buffers;
