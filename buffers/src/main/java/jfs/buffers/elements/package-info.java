/** How elements of each primitive type are copied between Java arrays and memory. Not exported: {@code BasicType} leads here. */
package jfs.buffers.elements;
