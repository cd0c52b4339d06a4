/** The MX path: the bytes of a connection between hosts as messages of an MX endpoint. */
package jfs.transport.mx;
