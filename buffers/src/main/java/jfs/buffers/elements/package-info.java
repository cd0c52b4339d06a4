/** How elements of each primitive type are copied between Java arrays and memory. Not exported: {@code ElementType} leads here. */
package jfs.buffers.elements;
