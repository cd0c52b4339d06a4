/** The named steps of a connection, at which tests let things happen. It uses no other package of JFS. */
package jfs.steps;
