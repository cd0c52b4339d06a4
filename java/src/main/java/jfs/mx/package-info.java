/**
 * What stands on MX: the process's endpoint, the channels of its connections, the memory of their messages, MX's errors as
 * exceptions.
 */
package jfs.mx;
