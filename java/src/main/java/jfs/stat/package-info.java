/** Counters of what happened, and the reasons in words. */
package jfs.stat;
