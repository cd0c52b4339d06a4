/**
 * A stand-in, over Unix sockets, for the message queues of JFS. Its classes have the full names of the library's, because the measuring
 * programs name those. In the tests of this module, which need no JFS, the stand-in takes their place.
 */
package jfs.scilib;
