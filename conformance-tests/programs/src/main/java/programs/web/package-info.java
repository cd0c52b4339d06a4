/** HTTP/1.1 and HTTP/2, with TLS and without: servers that people use, whose connections are channels, and clients of both kinds. */
package programs.web;
