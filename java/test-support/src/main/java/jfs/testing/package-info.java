/** What tests of several modules have in common: waiting, threads, random numbers, free ports, the native libraries. */
package jfs.testing;
