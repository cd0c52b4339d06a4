/** The MXBean of JFS and its notifications, and what users can do about connections that are not fast, in words. */
package jfs.management;
