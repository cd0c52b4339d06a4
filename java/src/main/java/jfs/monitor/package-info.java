/** The table in which this process shows its connections to programs outside, such as the command {@code status}, and its reader. */
package jfs.monitor;
