/** FTP: two servers in Java, and a client on Commons Net and on the JDK's {@code ftp:} URLs. */
package programs.ftp;
