/** How the ends of the soak's connections move their bytes: a socket, a channel in blocking mode, a channel by selectors. */
package jfs.conformance.soak.transfer;
