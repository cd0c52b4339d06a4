/**
 * Message queues between processes: those of the SCILib interface ({@code scilib.h}), so that either end may be a program
 * in C. {@link jfs.scilib.MessageQueues} makes them.
 */
package jfs.scilib;
