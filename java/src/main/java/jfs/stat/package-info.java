/** What happened, counted; and why, in words. */
package jfs.stat;
