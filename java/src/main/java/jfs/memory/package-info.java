/**
 * The only room that knows how to order memory accesses: every VarHandle, every fence. Other rooms say <em>what</em>
 * must be seen before what by calling {@code ...Acquire}, {@code ...Release} and {@code fullFence} here.
 */
package jfs.memory;
