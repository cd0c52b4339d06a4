/**
 * The only package that knows how to order memory accesses: it has every VarHandle and every fence. Other packages say
 * <em>what</em> must be seen before what by calling {@code ...Acquire}, {@code ...Release} and {@code fullFence} here.
 */
package jfs.memory;
