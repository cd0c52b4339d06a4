/**
 * A transport that does not come with JFS, as docs/how-to/transports.md tells how to write one. It carries bytes through a file that both
 * processes have mapped. It uses nothing of JFS but {@code jfs.spi}. The conformance suite runs on it as the subject {@code file}.
 */
package filetransport;
