/** The named steps of a connection, at which tests let things happen. Knows nobody, and every room may know it. */
package jfs.steps;
