/**
 * What connections hold of the system and of the heap while they are used, while they idle, and after their end.
 */
package jfs.conformance.resources;
