/**
 * The code that uses MX: the process's endpoint, the channels of its connections, the memory of their messages, and MX's errors
 * as exceptions.
 */
package jfs.mx;
